import type { SendState } from '../../../src-shared/model/outbox.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** What a screen says about something that waits. */
export interface SendWords {
  readonly kind: 'queued' | 'trying' | 'unsure' | 'refused'
  readonly text: string
}

/** The words for where an item stands. `isAway`: the server is not answering. */
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
      if (state.isBehindFounding) return { kind: 'queued', text: t.feed.sending.behindFounding }
      if (state.isBehindAnother) return { kind: 'queued', text: t.feed.sending.behindAnother }
      if (isAway) return { kind: 'queued', text: t.feed.sending.away }
      return state.attempts > 0
        ? { kind: 'trying', text: t.feed.sending.trying(state.attempts + 1) }
        : { kind: 'queued', text: t.feed.sending.queued }
  }
}
