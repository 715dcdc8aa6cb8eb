import type { ChannelId } from '../../../src-shared/ids.ts'

/** The keys that identify the items of the channel tree. */
export const itemKeys = {
  folder: (key: string): string => `folder:${key}`,
  /** The group of inactive channels of a folder. */
  more: (key: string): string => `more:${key}`,
  channel: (channelId: ChannelId): string => `channel:${channelId}`,
  topicStart: 'topic:',
  topic: (channelId: ChannelId, topic: string): string => `topic:${channelId}:${topic}`,
} as const

/** With the key of a folder: the key by which its group of inactive channels is turned. */
export const moreStart = 'more-'
