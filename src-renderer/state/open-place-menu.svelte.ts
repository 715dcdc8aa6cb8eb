import type { InboxRow } from '../../src-shared/model/conversation-lists.ts'
import type { ChannelId, MessageId } from '../../src-shared/ids.ts'
import type { Account } from '../../src-shared/model/account.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { TopicVisibility } from '../../src-shared/model/message.ts'
import type { SavedSearch } from './searches-of.ts'

/** What a menu of a place can be about. */
export type MenuPlace =
  | {
      readonly kind: 'channel'
      readonly channelId: ChannelId
      readonly name: string
      /** The words for beginning a message there; null if the person cannot. */
      readonly begins: string | null
    }
  | {
      readonly kind: 'topic'
      readonly channelId: ChannelId
      readonly topic: string
      readonly visibility: TopicVisibility
      /** A message of the topic, which tells the server which topic is meant; null if none was at hand. */
      readonly messageId: MessageId | null
    }
  | {
      readonly kind: 'direct'
      readonly conversation: Extract<Conversation, { kind: 'direct' }>
      /** The other people in it, or oneself alone. */
      readonly people: readonly { readonly userId: number; readonly fullName: string }[]
    }
  | { readonly kind: 'search'; readonly search: SavedSearch }
  /** The sidebar's folders, by their keys. */
  | { readonly kind: 'folders'; readonly folders: readonly string[] }
  | {
      readonly kind: 'organization'
      readonly account: Account
      /** Its index in the rail, and the number of organizations there. */
      readonly index: number
      readonly count: number
      readonly moveTo: (index: number) => void
    }

/** The anchor of a menu: an element, or a point in the window. */
type Anchor = HTMLElement | { getBoundingClientRect(): DOMRect }

/** A request for a menu of a place. */
export interface OpenMenu {
  readonly place: MenuPlace
  readonly anchor: Anchor
  /** The element that requested it; the focus returns to it. */
  readonly asker: HTMLElement
}

/** The menu of whatever has a row: a channel, a topic, an organization. The window has one, whoever requests it. */
class OpenPlaceMenu {
  current = $state.raw<OpenMenu | null>(null)

  /** Opens the menu of a place beside its button; `asker` gets the focus back if the button goes. */
  open(place: MenuPlace, button: HTMLElement, asker = button): void {
    this.current = { place, anchor: button, asker }
  }

  /** Opens the menu of a row at a point in the window. */
  openAt(place: MenuPlace, row: HTMLElement, point: { readonly x: number; readonly y: number }): void {
    const anchor = { getBoundingClientRect: () => new DOMRect(point.x, point.y, 0, 0) }
    this.current = { place, anchor, asker: row }
  }

  /** Opens the row's menu instead of the browser's: at the pointer, or beside the row. */
  ask(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
    const place = row === null ? null : placeOfRow(row)
    if (row === null || place === null) return
    event.preventDefault()
    const isByPointer = event instanceof PointerEvent && event.pointerType !== ''
    if (isByPointer) this.openAt(place, row, event)
    else this.open(place, row)
  }

  close(): void {
    this.current = null
  }
}

export const openPlaceMenu = new OpenPlaceMenu()

/** What the menu of a conversation in a list is about. */
export function menuPlaceOf({ conversation, label, newestMessageId }: InboxRow): MenuPlace {
  if (conversation.kind === 'direct') {
    const names = label.kind === 'direct' ? label : { userIds: [], names: [] }
    const people = names.userIds.map((userId, at) => ({ userId, fullName: names.names[at] ?? '' }))
    return { kind: 'direct', conversation, people }
  }
  const visibility = label.kind === 'topic' ? label.visibility : 'none'
  return { ...conversation, visibility, messageId: newestMessageId }
}

const places = new WeakMap<Element, () => MenuPlace | null>()

/** Tells what the menu of a row is about; for `{@attach}`. */
export const hasMenu =
  (place: () => MenuPlace | null) =>
  (row: Element): void => {
    places.set(row, place)
  }

/** What the menu of a row is about; null if the row has none. */
export const placeOfRow = (row: Element): MenuPlace | null => places.get(row)?.() ?? null
