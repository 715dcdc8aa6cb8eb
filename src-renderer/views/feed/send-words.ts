import type { OutboxItem } from '../../../src-shared/bridge/queries.ts'
import type { SendState } from '../../../src-shared/model/outbox.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** The words for the state of something in the outbox. */
export interface SendWords {
  readonly kind: 'queued' | 'trying' | 'unsure' | 'refused'
  readonly text: string
}

/** Whether it stays where it is until the person decides. */
export const needsPerson = ({ state, reason }: SendState): boolean =>
  state === 'refused' || (state === 'unsure' && reason === 'undecided')

/** Whether the person can still take it back, because it is not being sent. */
export const canTakeBack = (state: SendState): boolean => state.state === 'waiting' || needsPerson(state)

/** The words for the state of an item. `isAway`: the server does not answer. */
export function sendWords(state: SendState, isAway: boolean): SendWords {
  switch (state.state) {
    case 'refused':
      return { kind: 'refused', text: t.feed.sending.refused(state.reason ?? t.feed.sending.refusedUnsaid) }
    case 'unsure':
      return state.reason === 'undecided'
        ? { kind: 'unsure', text: t.feed.sending.undecided }
        : { kind: 'trying', text: t.feed.sending.checking }
    case 'sending':
    case 'accepted':
      return {
        kind: 'trying',
        text: state.attempts > 0 ? t.feed.sending.trying(state.attempts + 1) : t.feed.sending.now,
      }
    case 'waiting':
      if (state.isBehindCreation) return { kind: 'queued', text: t.feed.sending.behindCreation }
      if (state.isBehindAnother) return { kind: 'queued', text: t.feed.sending.behindAnother }
      if (isAway) return { kind: 'queued', text: t.feed.sending.away }
      return state.attempts > 0
        ? { kind: 'trying', text: t.feed.sending.trying(state.attempts + 1) }
        : { kind: 'queued', text: t.feed.sending.queued }
  }
}

/** The words for something in the outbox. A refused item that is not a message names what was not done. */
export function outboxWords(
  { action, state }: Pick<OutboxItem, 'action' | 'state'>,
  isAway: boolean,
): SendWords {
  const isMessage = action === 'send-message' || action === 'schedule-message'
  return state.state === 'refused' && !isMessage
    ? { kind: 'refused', text: state.reason ?? t.channels.refused }
    : sendWords(state, isAway)
}
