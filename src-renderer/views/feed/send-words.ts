import type { ActionName } from '../../../src-shared/bridge/actions.ts'
import type { OutboxItem } from '../../../src-shared/bridge/queries.ts'
import { isStuck, isUndecided, makesEachTime, type SendState } from '../../../src-shared/model/outbox.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** The words for the state of something in the outbox. */
export interface SendWords {
  readonly kind: 'queued' | 'trying' | 'unsure' | 'refused'
  readonly text: string
}

/** What the outbox puts on the server other than a message: each has its own words for a lost answer. */
export type MadeThing = keyof typeof t.feed.sending.undecidedOf

const madeThings: Readonly<Partial<Record<ActionName, MadeThing>>> = {
  'schedule-message': 'scheduled',
  'remind-me': 'reminder',
  'save-snippet': 'snippet',
}

/** What a change puts on the server, if that is no message; null otherwise. */
export const madeBy = (action: ActionName | null): MadeThing | null =>
  action === null ? null : (madeThings[action] ?? null)

const ofMessages: ReadonlySet<ActionName> = new Set([
  'send-message',
  'edit-message',
  'delete-message',
  'schedule-message',
  'edit-scheduled',
  'cancel-scheduled',
  'remind-me',
  'change-reminder',
  'react',
])

/** Whether the title of a change has words of a message or an emoji, and not only names, such as a snippet's. */
export const hasWordsOfMessage = (action: ActionName | null): boolean =>
  action !== null && ofMessages.has(action)

/** Whether the person can still take it back, because it is not being sent. */
export const canTakeBack = (state: SendState): boolean => state.state === 'waiting' || isStuck(state)

/**
 * Whether it can be discarded: not while it is being sent, or looked for, and sending it twice would put two things on
 * the server.
 */
export const canDiscard = ({ action, state }: Pick<OutboxItem, 'action' | 'state'>): boolean =>
  canTakeBack(state) || action === null || !makesEachTime.has(action)

/**
 * The words for the state of an item; a message unless it makes another thing. `back`: when the server is there again,
 * in the words of `useWhenBack`; null: it answers.
 */
export function sendWords(state: SendState, back: string | null, made: MadeThing | null = null): SendWords {
  switch (state.state) {
    case 'refused':
      return { kind: 'refused', text: t.feed.sending.refused(state.reason ?? t.feed.sending.refusedUnsaid) }
    case 'unsure':
      if (isUndecided(state))
        return {
          kind: 'unsure',
          text: made === null ? t.feed.sending.undecided : t.feed.sending.undecidedOf[made],
        }
      return back !== null
        ? { kind: 'queued', text: t.feed.sending.checkedLater(back) }
        : {
            kind: 'trying',
            text: made === null ? t.feed.sending.checking : t.feed.sending.checkingOf[made],
          }
    case 'sending':
    case 'accepted':
      return {
        kind: 'trying',
        text: state.attempts > 0 ? t.feed.sending.trying(state.attempts + 1) : t.feed.sending.now,
      }
    case 'waiting':
      if (state.isBehindCreation) return { kind: 'queued', text: t.feed.sending.behindCreation }
      if (state.isBehindAnother) return { kind: 'queued', text: t.feed.sending.behindAnother }
      if (back !== null) return { kind: 'queued', text: t.feed.sending.away(back) }
      return state.attempts > 0
        ? { kind: 'trying', text: t.feed.sending.trying(state.attempts + 1) }
        : { kind: 'queued', text: t.feed.sending.queued }
  }
}

/** The words for something in the outbox. A refused item that is not a message names what was not done. */
export function outboxWords(
  { action, state }: Pick<OutboxItem, 'action' | 'state'>,
  back: string | null,
): SendWords {
  const isMessage = action === 'send-message' || action === 'schedule-message'
  return state.state === 'refused' && !isMessage
    ? { kind: 'refused', text: state.reason ?? t.channels.refused }
    : sendWords(state, back, madeBy(action))
}
