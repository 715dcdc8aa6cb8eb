import type { serverAbilities as en } from '../en/server-abilities.ts'

export const serverAbilities: typeof en = {
  settings: 'Einstellungen des Kontos lassen sich von hier aus nicht ändern.',
  drafts: 'Entwürfe bleiben auf diesem Gerät.',
  topicVisibility: 'Themen lassen sich nicht stummschalten, und man kann ihnen nicht folgen.',
  followedTopics: 'Man kann Themen nicht folgen.',
  savedSnippets: 'Texte lassen sich nicht für später aufheben.',
  snippetChanges: 'Textbausteine lassen sich nicht ändern.',
  scheduledMessages: 'Nachrichten lassen sich nicht für später planen.',
  mutedPeople: 'Personen lassen sich nicht stummschalten.',
  emptyTopics: 'Nachrichten brauchen ein Thema.',
  reports: 'Nachrichten lassen sich von hier aus nicht melden.',
  channelFolders: 'Kanäle sind nicht in Ordnern.',
  reminders: 'Es gibt keine Erinnerungen.',
}
