import type { KeptQueue } from './event-queues.ts'
import { restartEvent } from '../handlers/service-state.ts'
import { narrowFilter } from './queue-narrows.ts'
import { userById, type Workspace } from '../workspace.ts'

/**
 * Puts the event queues away until the service starts again. To be called when nothing is written any more: what came
 * after it, nobody would hear of.
 */
export function keepQueues({ db, queues }: Workspace): void {
  db.transaction(() => {
    db.run('DELETE FROM kept_queues')
    for (const { id, content } of queues.toKeep())
      db.run('INSERT INTO kept_queues VALUES (?, ?)', id, content)
  })
}

/**
 * Goes on with the queues of the last run, and tells their clients that there is another one. They are taken out of
 * the file at once: after a run that ends without a word, its clients would miss what it wrote, and register anew.
 */
export function restoreQueues(workspace: Workspace): void {
  const { db, queues } = workspace
  const rows = db.all<{ content: string }>('SELECT content FROM kept_queues')
  if (rows.length === 0) return
  db.run('DELETE FROM kept_queues')
  for (const { content } of rows) {
    // Nothing but `toKeep` writes it.
    const kept = JSON.parse(content) as KeptQueue
    if (userById(db, kept.userId)?.is_active === 1) queues.restore(kept, narrowFilter(db, kept.narrow))
  }
  workspace.publish(null, restartEvent(workspace))
}
