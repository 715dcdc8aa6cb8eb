import { groupId, userId, type GroupId, type UserId } from '../../src-shared/ids.ts'

/** The person or group whose card is requested. */
export type ProfileSubject =
  | { readonly kind: 'person'; readonly userId: UserId }
  | { readonly kind: 'group'; readonly groupId: GroupId }

/** The open card of a person or group, and its anchor. There is at most one. */
class OpenProfile {
  current = $state.raw<{
    readonly subject: ProfileSubject
    readonly anchor: HTMLElement
    /** What takes the focus back when the card is closed. */
    readonly asker: HTMLElement | null
    /** Closes the dialog that the card lies over, if it leads elsewhere. */
    readonly leave: () => void
  } | null>(null)

  open(subject: ProfileSubject, anchor: HTMLElement, leave: () => void = () => {}): void {
    // A key for the sender leaves the focus on the message, inside of which the card has its anchor.
    const active = document.activeElement
    const isAround = active instanceof HTMLElement && active !== document.body && active.contains(anchor)
    const asker = isAround ? active : anchor.closest<HTMLElement>('button, a, [tabindex]')
    this.current = { subject, anchor, asker, leave }
  }

  /** Shows another person or group in the open card. */
  turnTo(subject: ProfileSubject): void {
    if (this.current !== null) this.current = { ...this.current, subject }
  }

  close(): void {
    this.current = null
  }
}

export const openProfile = new OpenProfile()

/** The person or group whose card a mention opens; null for a wildcard mention. */
export function mentionSubject(element: Element): ProfileSubject | null {
  const id = element.getAttribute('data-user-id') ?? ''
  if (/^\d+$/.test(id)) return { kind: 'person', userId: userId(Number(id)) }
  const group = element.getAttribute('data-user-group-id') ?? ''
  return /^\d+$/.test(group) ? { kind: 'group', groupId: groupId(Number(group)) } : null
}
