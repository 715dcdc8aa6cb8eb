/** Event queues while no service runs: each as JSON. A service that has started takes them out again. */
export const keptQueues = `
  CREATE TABLE kept_queues (queue_id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
`
