import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { Account } from '../../../src-shared/model/account.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { markAll } from '../../state/reading/mark-read.ts'
import { once } from '../../state/data/once.ts'
import { isLinked } from '../../state/navigation/place-link.ts'
import { narrowOf, route, type AccountRoute } from '../../state/navigation/route.svelte.ts'
import { toasts } from '../../state/toast.svelte.ts'
import { PlaceActs } from '../place-menu/place-acts.ts'

/** Acts that run only by name, so that the window's first picture does not load them. */
export const actsByName = {
  /** Opens the form. Whether the organization permits it is not known before this asks. */
  async 'create-channel'(bridge: Bridge, { id: accountId }: Account) {
    const { organization: may } = await once(bridge, 'permissions', { accountId, narrow: null })
    if (may.createPublicChannels || may.createPrivateChannels || may.createWebPublicChannels)
      route.go({ view: 'channels', accountId, list: 'all', channelId: null, tab: 'general', creates: true })
    else toasts.show({ words: t.feed.notes.notAllowed, undo: null })
  },
  async 'mark-place-read'(bridge: Bridge, { id: accountId }: Account, here: AccountRoute) {
    const narrow = narrowOf(here)
    if (narrow !== null) await markAll(bridge, accountId, { narrow, words: null })
  },
  'copy-place-link'(bridge: Bridge, account: Account, here: AccountRoute) {
    const narrow = narrowOf(here)
    if (narrow === null || !isLinked(narrow)) return
    new PlaceActs(bridge, account).copyLink(narrow)
  },
}
