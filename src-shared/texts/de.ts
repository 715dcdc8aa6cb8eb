import type { Texts } from './texts.ts'
import { list, locale, number, plural } from './de/grammar.ts'
import { allOrganizations } from './de/all-organizations.ts'
import { channels } from './de/channels.ts'
import { compose } from './de/compose.ts'
import { diagnostics } from './de/diagnostics.ts'
import { drafts } from './de/drafts.ts'
import { emoji } from './de/emoji.ts'
import { failures } from './de/failures.ts'
import { feed } from './de/feed.ts'
import { formatting } from './de/formatting.ts'
import { holders } from './de/holders.ts'
import { inbox } from './de/inbox.ts'
import { later } from './de/later.ts'
import { mainWindow } from './de/main-window.ts'
import { native } from './de/native.ts'
import { network } from './de/network.ts'
import { outbox } from './de/outbox.ts'
import { placeMenu } from './de/place-menu.ts'
import { profile } from './de/profile.ts'
import { quickSwitcher } from './de/quick-switcher.ts'
import { recent } from './de/recent.ts'
import { search } from './de/search.ts'
import { serverAbilities } from './de/server-abilities.ts'
import { settings } from './de/settings.ts'
import { shared } from './de/shared.ts'
import { shortcuts } from './de/shortcuts.ts'
import { signIn } from './de/sign-in.ts'
import { times } from './de/times.ts'
import { topics } from './de/topics.ts'

/** Every text that a person reads, in German. */
export const de: Texts = {
  locale,
  direction: 'ltr',
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
