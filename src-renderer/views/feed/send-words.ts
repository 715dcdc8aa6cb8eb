import type { SendState } from '../../../src-shared/model/outbox.ts'

/** What a screen says about something that waits. */
export interface SendWords {
  readonly kind: 'queued' | 'trying' | 'unsure' | 'refused'
  readonly text: string
}

/** The words for where an item stands. `isAway`: the server is not answering. */
export function sendWords(state: SendState, isAway: boolean): SendWords {
  switch (state.state) {
    case 'refused':
      return { kind: 'refused', text: `Not sent. ${state.reason ?? 'The server refused it.'}` }
    case 'unsure':
      return state.reason === 'undecided'
        ? { kind: 'unsure', text: 'It may have been sent. Look, then retry or discard.' }
        : { kind: 'trying', text: 'Checking whether it was sent' }
    case 'sending':
    case 'accepted':
      return {
        kind: 'trying',
        text: state.attempts > 0 ? `Trying to send, attempt ${state.attempts + 1}` : 'Sending',
      }
    case 'waiting':
      if (state.isBehindAnother) return { kind: 'queued', text: 'Queued, sends after the message above' }
      if (isAway) return { kind: 'queued', text: "Queued, sends when you're back online" }
      return state.attempts > 0
        ? { kind: 'trying', text: `Trying to send, attempt ${state.attempts + 1}` }
        : { kind: 'queued', text: 'Queued' }
  }
}
