/** The menus of channels, topics, direct conversations and saved searches. */
export const placeMenu = {
  names: {
    channel: 'Channel actions',
    topic: 'Topic actions',
    direct: 'Conversation actions',
    search: 'Search actions',
  },
  markRead: 'Mark as read',
  markAllRead: 'Mark all as read',
  channelFeed: 'Channel feed',
  topics: 'List of topics',
  mute: 'Mute channel',
  unmute: 'Unmute channel',
  pin: 'Pin to the top',
  unpin: 'Unpin',
  leave: 'Leave channel',
  copyLink: 'Copy link',
  renameOrMove: 'Rename or move…',
  profile: 'Profile',
  profileOf: (name: string) => `Profile of ${name}`,
  removeSearch: 'Remove this search',
  gone: 'This topic is no longer on this device.',
}
