import type { KeptQueue, NewEvent } from './event-queues.ts'
import { narrowFilter } from './queue-narrows.ts'
import { serviceGeneration, versions } from '../service-version.ts'
import { userById, type Workspace } from '../workspace.ts'

/**
 * Saves the event queues until the service starts again. Call it when nothing is written any more: nobody would hear
 * of later changes.
 */
export function keepQueues({ db, queues }: Workspace): void {
  db.transaction(() => {
    db.run('DELETE FROM kept_queues')
    for (const { id, content } of queues.toKeep())
      db.run('INSERT INTO kept_queues VALUES (?, ?)', id, content)
  })
}

/**
 * Restores the queues of the last run, and tells their clients about the restart. The saved queues are deleted from
 * the file at once: if this run is killed, its clients must register anew, because they would miss what it wrote.
 */
export function restoreQueues(workspace: Workspace): void {
  const { db, queues } = workspace
  const rows = db.column<string>('SELECT content FROM kept_queues')
  if (rows.length === 0) return
  db.run('DELETE FROM kept_queues')
  for (const content of rows) {
    // Only `toKeep` writes it.
    const kept = JSON.parse(content) as KeptQueue
    if (userById(db, kept.userId)?.is_active === 1) queues.restore(kept, narrowFilter(db, kept.narrow))
  }
  workspace.publish(null, restartEvent(workspace))
}

/** The event for clients whose queues survived a restart. Before level 240 it said whether to reload at once. */
const restartEvent = (workspace: Workspace): NewEvent => ({
  type: 'restart',
  ...versions(workspace),
  server_generation: serviceGeneration,
  ...(workspace.featureLevel < 240 ? { immediate: false } : {}),
})
