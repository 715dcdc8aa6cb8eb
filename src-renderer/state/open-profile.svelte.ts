import { groupId, userId, type GroupId, type UserId } from '../../src-shared/ids.ts'

/** Whose card is wanted. */
export type ProfileSubject =
  { readonly kind: 'person'; readonly userId: UserId } | { readonly kind: 'group'; readonly groupId: GroupId }

/** The card of a person or group that is open, and what it stands beside. There is one at most. */
class OpenProfile {
  current = $state.raw<{ readonly subject: ProfileSubject; readonly anchor: HTMLElement } | null>(null)

  open(subject: ProfileSubject, anchor: HTMLElement): void {
    this.current = { subject, anchor }
  }

  /** Shows somebody else in the card that is open. */
  turnTo(subject: ProfileSubject): void {
    if (this.current !== null) this.current = { ...this.current, subject }
  }

  close(): void {
    this.current = null
  }
}

export const openProfile = new OpenProfile()

/** Whose card a mention in a message opens; null for one of everybody. */
export function mentionSubject(element: Element): ProfileSubject | null {
  const id = element.getAttribute('data-user-id') ?? ''
  if (/^\d+$/.test(id)) return { kind: 'person', userId: userId(Number(id)) }
  const group = element.getAttribute('data-user-group-id') ?? ''
  return /^\d+$/.test(group) ? { kind: 'group', groupId: groupId(Number(group)) } : null
}
