import type { ApiMessage } from '../../src-shared/api/messages.ts'
import { timesOfChange } from './times-of-change.ts'

type HistoryEntry = NonNullable<ApiMessage['edit_history']>[number]

/** One change of a message, from the wire; see `MessageChange` of the store. */
interface Change {
  readonly at: number
  readonly userId: number | null
  readonly before?: { readonly markdown: string | null; readonly html: string | null }
  readonly from?: { readonly channelId: number | null; readonly topic: string | null }
}

/**
 * The edits and moves of a message, oldest first; none if nothing but the mark of a resolved topic was changed. Only the
 * original text, and those without Markdown, have their HTML.
 */
export function changesFromApi(message: ApiMessage): Change[] {
  if (message.edit_history === undefined) return []
  const { editedAt, movedAt } = timesOfChange(message)
  if (editedAt === null && movedAt === null) return []
  return withoutSpareHtml(message.edit_history.map(changeFromApi).reverse())
}

/** The same of an answer with all versions of a message, the original first. */
export function changesFromVersions(
  versions: readonly (HistoryEntry & { topic: string; content: string; rendered_content: string })[],
): Change[] {
  const changes = versions.slice(1).map((version, index) => {
    const before = versions[index]
    const { prev_content: _said, prev_rendered_content: _rendered, ...move } = version
    const isSame = before === undefined || before.content === version.content
    return changeFromApi({
      ...move,
      ...(isSame ? {} : { prev_content: before.content, prev_rendered_content: before.rendered_content }),
    })
  })
  return withoutSpareHtml(changes)
}

function changeFromApi(entry: HistoryEntry): Change {
  const { prev_content: markdown = null, prev_rendered_content: html = null } = entry
  const { prev_stream: channelId = null, prev_topic: topic = null } = entry
  return {
    at: entry.timestamp * 1_000,
    userId: entry.user_id,
    ...(markdown === null && html === null ? {} : { before: { markdown, html } }),
    ...(channelId === null && topic === null ? {} : { from: { channelId, topic } }),
  }
}

function withoutSpareHtml(changes: readonly Change[]): Change[] {
  const original = changes.find(({ before }) => before !== undefined)
  return changes.map((change) =>
    change === original || change.before === undefined || change.before.markdown === null
      ? change
      : { ...change, before: { ...change.before, html: null } },
  )
}
