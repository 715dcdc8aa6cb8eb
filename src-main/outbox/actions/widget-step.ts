import { submessages } from '../../../src-shared/api/submessages.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { userId, type UserId } from '../../../src-shared/ids.ts'
import { freeIndex, setsValue, widgetOf, type Widget } from '../../../src-shared/model/widget.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import type { ReadableDb } from '../../store/database.ts'
import { outboxRows } from '../../store/outbox.ts'
import { submessagesOf } from '../../store/submessages.ts'
import type { OfflineAction, SendContext } from '../offline-action.ts'
import { refused } from './refusals.ts'
import { messageNow } from './source-of.ts'

type Step = ActionOf<'widget-step'>['step']
type Addition = Extract<Step, { type: 'new_option' | 'new_task' }>

type WidgetMessage = ActionOf<'widget-step'>['messageId']

/** How often an option or a task is sent when other devices take each number that it gets. */
const mostNumbers = 5

/** The widget as the server has it; null if there is none. */
async function widgetNow(messageId: WidgetMessage, context: SendContext): Promise<Widget | null> {
  const { submessages: steps = [] } = (await messageNow(messageId, context)) ?? {}
  return widgetOfAny(steps.map(({ sender_id, content }) => ({ senderId: sender_id, content })))
}

/** The widget as the cache has it, without what waits; null if there is none. */
const widgetHere = (db: ReadableDb, messageId: WidgetMessage): Widget | null =>
  widgetOfAny(submessagesOf(db, [messageId]))

/** The options or tasks of a message, whoever wrote it: only its title depends on that. */
const widgetOfAny = (steps: readonly { readonly senderId: number; readonly content: string }[]) =>
  widgetOf(
    steps.map(({ senderId, content }) => ({ senderId: userId(senderId), content, isWaiting: false })),
    userId(0),
  )

const isAddition = (step: Step): step is Addition => step.type === 'new_option' || step.type === 'new_task'

/** What votes and ticks call the option or the task. */
const keyOf = (step: Addition, own: UserId): string =>
  step.type === 'new_option' ? `${own},${step.idx}` : `${step.key},${own}`

/** The addition under a number that neither the widget nor another addition that waits has. */
function renumbered(step: Addition, messageId: WidgetMessage, widget: Widget, db: ReadableDb, own: UserId) {
  const waiting = outboxRows(db).flatMap(({ action }) =>
    action?.name === 'widget-step' && action.messageId === messageId && isAddition(action.step)
      ? [keyOf(action.step, own)]
      : [],
  )
  const index = freeIndex(widget, own, waiting)
  return step.type === 'new_option' ? { ...step, idx: index } : { ...step, key: index }
}

/** What the option or the task with these words is called, whoever added it; undefined if there is none. */
const keyOfWords = (widget: Widget, step: Addition): string | undefined =>
  (widget.kind === 'poll'
    ? widget.options.find(({ text }) => step.type === 'new_option' && text === step.option)
    : widget.tasks.find(({ task }) => step.type === 'new_task' && task === step.task)
  )?.key

const hasKey = (widget: Widget, key: string): boolean =>
  (widget.kind === 'poll' ? widget.options : widget.tasks).some((one) => one.key === key)

/**
 * A vote, an option, a task or a tick in a widget (specification, POST /submessage). Queries add it to the server's
 * state.
 */
export const widgetStep: OfflineAction<'widget-step'> = {
  isRepeatable: true,
  // Order matters: a vote must be sent after the option that it is for.
  lane: ({ messageId }) => `widget:${messageId}`,
  apply() {},
  async send({ messageId, step }, context) {
    const { connection, signal, ownUserId } = context
    const put = async (content: object) => {
      const form = { message_id: messageId, msg_type: 'widget', content: JSON.stringify(content) }
      await connection.call(submessages.sendSubmessage, form, { signal })
    }
    if (isAddition(step)) {
      // Another device of this person may have used the number; nobody would see what is sent under it.
      let added = step
      for (let tries = 0; tries < mostNumbers; tries++) {
        const widget = await widgetNow(messageId, context)
        if (widget === null) {
          // The server says why not.
          await put(added)
          return null
        }
        const known = keyOfWords(widget, added)
        if (known !== undefined) {
          // Somebody else's, perhaps: the votes and ticks that wait are for that one.
          if (known !== keyOf(added, ownUserId))
            context.saveProgress({ name: 'widget-step', messageId, step: added }, known)
          return null
        }
        const isTaken = hasKey(widget, keyOf(added, ownUserId))
        // It was sent, and does not count for another reason: there are too many.
        if (tries > 0 && !isTaken) break
        if (isTaken) {
          const free = renumbered(added, messageId, widget, context.db, ownUserId)
          context.saveProgress({ name: 'widget-step', messageId, step: free }, keyOf(free, ownUserId))
          added = free
        }
        await put(added)
      }
      throw refused(t.failures.notAdded, 'NOT_ADDED')
    }
    if (step.type !== 'strike') {
      await put(step)
      return null
    }
    // A second tick would undo the first, so the server's state is checked first.
    const widget = await widgetNow(messageId, context)
    const task = widget?.kind === 'todo' ? widget.tasks.find(({ key }) => key === step.key) : undefined
    if (task?.isDone !== step.on) await put({ type: 'strike', key: step.key })
    return null
  },
  heard(db, { name, messageId, step }, ownUserId) {
    const widget = isAddition(step) ? widgetHere(db, messageId) : null
    if (!isAddition(step) || widget === null) return null
    const known = keyOfWords(widget, step)
    if (known !== undefined) return { key: known, rest: null }
    if (!hasKey(widget, keyOf(step, ownUserId))) return null
    // From now on the old number is that of what another device of this person added.
    const free = renumbered(step, messageId, widget, db, ownUserId)
    return { key: keyOf(free, ownUserId), rest: { name, messageId, step: free } }
  },
  // A vote for what was added, or a tick of it, has its new number.
  follow(later, before, key, ownUserId) {
    if (later.messageId !== before.messageId) return later
    if (!isAddition(before.step) || !('key' in later.step)) return later
    if (later.step.type === 'new_task' || later.step.key !== keyOf(before.step, ownUserId)) return later
    return { ...later, step: { ...later.step, key } }
  },
  concerns: ({ messageId }) => [messageId],
  isShownByEvent: true,
  join(earlier, later) {
    if (earlier.messageId !== later.messageId) return undefined
    const [a, b] = [earlier.step, later.step]
    if (a.type !== b.type) return undefined
    const isSame = 'key' in a && 'key' in b ? a.type !== 'new_task' && a.key === b.key : setsValue(a.type)
    return isSame ? later : undefined
  },
}
