import type { ChangedPiece, MessageVersion } from '../../src-shared/model/message.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { changedPieces } from '../drafts/merge.ts'
import { nameOfChannel } from '../store/channels.ts'
import type { MessageChange } from '../store/message-changes.ts'
import type { QueryContext } from '../queries/context.ts'
import { emptyTopicName, userName } from '../queries/labels.ts'

/** A text of a message; a form that is not known is null. */
interface Words {
  readonly markdown: string | null
  readonly html: string | null
}

/** A message as it is now. */
export interface PresentMessage extends Words {
  readonly senderId: number | null
  /** Epoch milliseconds. */
  readonly sentAt: number
  /** Empty outside channels. */
  readonly topic: string
}

/**
 * The versions of a message, newest first, from its changes, oldest first. If there were changes before these, the last
 * version is not the original, and nobody knows who wrote it when.
 */
export function messageVersions(
  { db }: QueryContext,
  present: PresentMessage,
  changes: readonly MessageChange[],
  hasEarlier: boolean,
): MessageVersion[] {
  const nameOf = (id: number | null) => (id === null ? null : userName(db, id))
  const placeName = (channelId: number | null, topic: string) => {
    const channel = channelId === null ? '' : `${nameOfChannel(db, channelId) ?? t.native.anotherChannel} › `
    return `${channel}${topic === '' ? emptyTopicName(db) : topic}`
  }
  const versions: MessageVersion[] = []
  let words: Words = present
  let { topic } = present
  // From the present backwards, because each change says what it replaced.
  for (const { at, userId, before, from } of changes.toReversed()) {
    topic = from?.topic ?? topic
    versions.push({
      at,
      personName: nameOf(userId),
      ...(before === undefined ? { contentHtml: null, changes: null } : rewritten(before, words)),
      movedFrom: from === undefined ? null : placeName(from.channelId, topic),
      isOriginal: false,
    })
    words = before ?? words
  }
  versions.push({
    at: hasEarlier ? null : present.sentAt,
    personName: hasEarlier ? null : nameOf(present.senderId),
    contentHtml: words.html,
    changes: words.html === null ? unchanged(words.markdown ?? '') : null,
    movedFrom: null,
    isOriginal: !hasEarlier,
  })
  return versions
}

/** How a text that replaced another is shown: with its changes if both are known as Markdown. */
function rewritten(before: Words, after: Words): Pick<MessageVersion, 'contentHtml' | 'changes'> {
  if (before.markdown !== null && after.markdown !== null)
    return { contentHtml: null, changes: changedPieces(before.markdown, after.markdown) }
  return after.html === null
    ? { contentHtml: null, changes: unchanged(after.markdown ?? '') }
    : { contentHtml: after.html, changes: null }
}

const unchanged = (text: string): ChangedPiece[] => [{ text, before: text }]
