import { createHash } from 'node:crypto'
import { messages } from '../../../src-shared/api/messages.ts'
import { FailureError, failureOf } from '../../../src-shared/failure.ts'
import { isAble } from '../../../src-shared/model/server-abilities.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { timesOfChange } from '../../api/times-of-change.ts'
import { isSameText, keptText } from '../../store/as-kept.ts'
import { readCursor } from '../../store/cursor.ts'
import { textsInDoubt } from '../../store/missing.ts'
import { editedAtOf, markdownOf, rememberMarkdown } from '../../store/messages.ts'
import { waitingEditOf } from '../../store/outbox.ts'
import type { OfflineAction } from '../offline-action.ts'
import { withRefusalTexts, refused } from './refusals.ts'
import { messageNow, sourceOf } from './source-of.ts'

/** The server's code for a message whose text is not what the person started from. */
const changedCode = 'EXPECTATION_MISMATCH'

/**
 * Edits an own message (specification, PATCH /messages/{message_id}). The old text stays on screen until the server has
 * rendered the new one.
 */
export const editMessage: OfflineAction<'edit-message'> = {
  isRepeatable: true,
  lane: ({ messageId }) => `edit:${messageId}`,
  apply() {},
  withDetails(db, edit) {
    // It comes after what waits, and what waits may be on its way.
    const waiting = waitingEditOf(db, edit.messageId)
    if (waiting !== null) return { ...edit, previousContent: keptText(db, waiting) }
    const others = textsInDoubt(db, edit.messageId)
    const withOthers = others.length === 0 ? edit : { ...edit, orPreviousContents: [...others] }
    const previousContent = edit.previousContent ?? markdownOf(db, edit.messageId)
    return previousContent === null
      ? { ...withOthers, seenEditedAt: editedAtOf(db, edit.messageId) ?? 0 }
      : { ...withOthers, previousContent }
  },
  async send(edit, context) {
    const { connection, signal, db, files } = context
    const { messageId } = edit
    const content = files.demandLinked(edit.content)
    const changed = () => refused(t.failures.edit.changedMeanwhile, changedCode)
    // An edit before this one may have attached files.
    const linked = (text: string) => files.linked(text) ?? text
    let previous = edit.previousContent === null ? null : linked(edit.previousContent)
    const others = edit.orPreviousContents?.map(linked) ?? []
    if (others.length > 0) {
      const now = await sourceOf(messageId, context)
      if (now !== null && others.some((text) => isSameText(db, now, text))) previous = now
    }
    if (previous !== null && !isAble(readCursor(db).featureLevel, 'editComparison')) {
      // Such a server does not compare. Between this question and the edit, nothing can be noticed.
      const now = await sourceOf(messageId, context)
      if (now !== null && !isSameText(db, now, previous)) {
        if (isSameText(db, now, content)) return null
        throw changed()
      }
    }
    if (previous === null && edit.seenEditedAt !== undefined) {
      const now = await messageNow(messageId, context)
      if (now !== undefined && (timesOfChange(now).editedAt ?? 0) * 1_000 !== edit.seenEditedAt) {
        // The first attempt, whose answer was lost.
        if (isSameText(db, now.content, content)) return null
        throw changed()
      }
      previous = now?.content ?? null
    }
    const hash = previous === null ? null : createHash('sha256').update(previous).digest('hex')
    const request = connection.call(
      messages.updateMessage,
      { message_id: messageId, content, ...(hash === null ? {} : { prev_content_sha256: hash }) },
      { signal },
    )
    try {
      await withRefusalTexts(request, { [changedCode]: t.failures.edit.changedMeanwhile })
    } catch (error) {
      const failure = failureOf(error)
      const isGone =
        failure.kind === 'rejected' &&
        failure.code !== changedCode &&
        (await sourceOf(messageId, context)) === null
      throw isGone ? new FailureError({ ...failure, message: t.failures.edit.gone }) : error
    }
    return null
  },
  // If the answer of the first attempt was lost, the server refuses the repeat, because the previous text is gone.
  isAlreadyDone: async ({ messageId, content: written }, code, context) => {
    const content = context.files.linked(written)
    if (code !== changedCode || content === null) return false
    const source = await sourceOf(messageId, context)
    return source !== null && isSameText(context.db, source, content)
  },
  // So that the next edit starts from this text even before the event arrives.
  accepted: (db, { messageId, content }, { linked }) =>
    rememberMarkdown(db, messageId, keptText(db, linked(content) ?? content)),
  cachedVersion: (db, { messageId }) => editedAtOf(db, messageId),
  concerns: ({ messageId }) => [messageId],
  isShownByEvent: true,
  join: (earlier, later) =>
    earlier.messageId === later.messageId ? { ...earlier, content: later.content } : undefined,
}
