import type { MessageFields } from '../../src-main/store/messages.ts'

/** A message as the cache stores it: read, by another person, with only the given properties. */
export const messageFields = (
  facts: Pick<MessageFields, 'id' | 'conversation'> & Partial<MessageFields>,
): MessageFields => ({
  senderId: 2,
  senderName: 'Bo',
  sentAt: facts.id,
  editedAt: null,
  movedAt: null,
  contentHtml: '<p>text</p>',
  isMeMessage: false,
  isRead: true,
  isStarred: false,
  isMentioned: false,
  isOnlyByWildcard: false,
  hasAlertWord: false,
  isCollapsed: false,
  submessages: [],
  reactions: [],
  changes: [],
  ...facts,
})
