import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { Account } from '../../../src-shared/model/account.ts'
import { wordsOf } from '../../../src-shared/model/name-match.ts'
import { Watched } from '../../state/data/watched.svelte.ts'
import {
  messageEntry,
  section,
  targetEntry,
  type PaletteFindings,
  type PaletteSection,
} from './palette-entries.ts'

/** Limits per organization. */
const mostTargets = 5
const mostMessages = 2

/**
 * The results of the palette over all organizations, by organization. Create it during the creation of a component; it
 * ends with the component.
 */
export class OrganizationsSession implements PaletteFindings {
  typed = $state('')
  readonly text = $derived(this.typed.trim().slice(0, 200))

  // The last answer stays until the next one arrives, so that nothing flickers while a person types.
  #answer = $state.raw<readonly PaletteSection[]>([])
  #answered = $state<string | null>(null)

  constructor(bridge: Bridge, accounts: () => readonly Account[]) {
    const device = new Watched(bridge, 'device-settings', {})
    const found = $derived(
      accounts().map((account) => ({
        account,
        targets: new Watched(bridge, 'jump-targets', {
          accountId: account.id,
          text: this.text,
          of: 'everything',
          often: (device.current?.chosenTargets[account.id] ?? []).map(([key]) => key),
          limit: mostTargets,
        }),
        messages:
          this.text.length < 2
            ? null
            : new Watched(bridge, 'search', { accountId: account.id, text: this.text, limit: mostMessages }),
      })),
    )
    $effect.pre(() => {
      const isWhole = found.every(
        ({ targets, messages }) =>
          targets.current !== undefined && (messages === null || messages.current !== undefined),
      )
      if (!isWhole) return
      const words = wordsOf(this.text)
      this.#answer = found.flatMap(({ account, targets, messages }) =>
        section({ key: account.id, accountId: account.id, name: account.title }, [
          // The card of a group can open only inside its own organization.
          ...(targets.current ?? [])
            .filter(({ kind }) => kind !== 'group')
            .map((target) => targetEntry(target, words)),
          ...(messages?.current?.results ?? []).map(messageEntry),
        ]),
      )
      this.#answered = this.typed
    })
  }

  get sections(): readonly PaletteSection[] {
    return this.#answer
  }

  readonly isAnswered = $derived(this.#answered === this.typed)
}
