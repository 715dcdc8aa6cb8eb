/** Event queues saved while no service runs, each as JSON. A service deletes them when it has started. */
export const keptQueues = `
  CREATE TABLE kept_queues (queue_id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
`
