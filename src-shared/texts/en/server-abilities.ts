/** What a person has to do without on an older server, by the name of the ability. */
export const serverAbilities = {
  settings: 'Account settings can’t be changed from here.',
  drafts: 'Drafts stay on this device.',
  topicVisibility: 'Topics can’t be muted or followed.',
  followedTopics: 'Topics can’t be followed.',
  savedSnippets: 'Snippets can’t be saved.',
  snippetChanges: 'Snippets can’t be changed.',
  scheduledMessages: 'Messages can’t be scheduled.',
  mutedPeople: 'People can’t be muted.',
  emptyTopics: 'Messages need a topic.',
  reports: 'Messages can’t be reported from here.',
  channelFolders: 'Channels aren’t grouped in folders.',
  reminders: 'There are no reminders.',
}
