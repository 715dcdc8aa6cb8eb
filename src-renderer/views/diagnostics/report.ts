import type { SyncState } from '../../../src-shared/model/account.ts'
import type { Count, Diagnostics } from '../../../src-shared/model/diagnostics.ts'

const at = (moment: number | null) => (moment === null ? 'never' : new Date(moment).toISOString())
const counted = (counts: readonly Count[]) =>
  counts.length === 0 ? 'none' : counts.map(({ name, count }) => `${count} ${name}`).join(', ')

/**
 * What the view shows, in English, for people who are asked for help. It contains no messages, names or addresses of
 * anybody.
 */
export function reportText(found: Diagnostics, sync: SyncState | undefined, now: number): string {
  const { server, queue, messages, file } = found
  const lines = [
    `Dunlin diagnostics, ${at(now)}`,
    `sync: ${sync?.status ?? 'unknown'} since ${at(sync?.since ?? null)}, attempt ${sync?.attempt ?? 0}, next ${at(sync?.nextAttemptAt ?? null)}`,
    `server: feature level ${server.featureLevel}, version ${server.version === '' ? 'unknown' : server.version}`,
    `queue: ${queue.isRegistered ? 'registered' : 'none'}, event ${queue.lastEventId}, registration ${queue.generation}, heard ${at(queue.heardAt)}`,
    `messages: ${messages.count}${messages.isMore ? ' and more' : ''}`,
    ...messages.ranges.map(
      ({ name, count, live }) => `  history of ${name}: ${count} stretches, ${live} live`,
    ),
    `outbox: ${counted(found.outbox)}`,
    `drafts: ${counted(found.drafts)}; ${found.versions} versions`,
    `file: ${file.bytes} bytes, form ${file.form}, ${file.ownChanges} own changes, ${sync?.fileNotice == null ? 'sound' : 'mended'}`,
    `log: ${file.logBytes} bytes, last moved into the file ${at(file.movedAt)}`,
    `check since the start: ${file.check === null ? 'none' : `${file.check.isSound ? 'sound' : 'damaged'}, ${at(file.check.at)}`}`,
    file.journal === null
      ? 'journal: none'
      : `journal: ${file.journal.bytes} bytes, begun ${at(file.journal.begunAt)}, written ${at(file.journal.writtenAt)}`,
    `disk: ${file.freeBytes === null ? 'unknown' : `${file.freeBytes} bytes free`}`,
    `set aside: ${found.setAside.reduce((sum, { count }) => sum + count, 0)}`,
    ...found.setAside.map(
      ({ what, reason, count, lastAt }) => `  ${count} × ${what}: ${reason} (${at(lastAt)})`,
    ),
  ]
  return `${lines.join('\n')}\n`
}
