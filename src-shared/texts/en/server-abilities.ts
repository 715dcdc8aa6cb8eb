/** What a person has to do without on an older server, by the name of the ability. */
export const serverAbilities = {
  settings: 'Account settings can’t be changed from here.',
  drafts: 'Drafts stay on this device.',
  topicVisibility: 'Topics cannot be muted or followed.',
  followedTopics: 'Topics cannot be followed.',
  savedSnippets: 'Snippets can’t be saved.',
  snippetChanges: 'Snippets cannot be changed.',
  scheduledMessages: 'Messages can’t be scheduled.',
  mutedPeople: 'People can’t be muted.',
  emptyTopics: 'Messages need a topic.',
  reports: 'Messages cannot be reported from here.',
  channelFolders: 'Channels are not grouped in folders.',
  reminders: 'There are no reminders.',
}
