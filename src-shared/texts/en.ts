import { list, locale, number, plural } from './en/grammar.ts'
import { allOrganizations } from './en/all-organizations.ts'
import { channels } from './en/channels.ts'
import { compose } from './en/compose.ts'
import { diagnostics } from './en/diagnostics.ts'
import { drafts } from './en/drafts.ts'
import { emoji } from './en/emoji.ts'
import { failures } from './en/failures.ts'
import { feed } from './en/feed.ts'
import { formatting } from './en/formatting.ts'
import { holders } from './en/holders.ts'
import { inbox } from './en/inbox.ts'
import { later } from './en/later.ts'
import { mainWindow } from './en/main-window.ts'
import { native } from './en/native.ts'
import { network } from './en/network.ts'
import { outbox } from './en/outbox.ts'
import { placeMenu } from './en/place-menu.ts'
import { profile } from './en/profile.ts'
import { quickSwitcher } from './en/quick-switcher.ts'
import { recent } from './en/recent.ts'
import { search } from './en/search.ts'
import { serverAbilities } from './en/server-abilities.ts'
import { settings } from './en/settings.ts'
import { shared } from './en/shared.ts'
import { shortcuts } from './en/shortcuts.ts'
import { signIn } from './en/sign-in.ts'
import { times } from './en/times.ts'
import { topics } from './en/topics.ts'

/** Every text that a person reads, in English. The compiler checks the other languages against it. */
export const en = {
  /** BCP 47, for dates, numbers and the page's language. */
  locale: locale as string,
  direction: 'ltr' as 'ltr' | 'rtl',
  number,
  plural,
  list,
  allOrganizations,
  channels,
  compose,
  diagnostics,
  drafts,
  emoji,
  failures,
  feed,
  formatting,
  holders,
  inbox,
  later,
  mainWindow,
  native,
  network,
  outbox,
  placeMenu,
  profile,
  quickSwitcher,
  recent,
  search,
  serverAbilities,
  settings,
  shared,
  shortcuts,
  signIn,
  times,
  topics,
}
