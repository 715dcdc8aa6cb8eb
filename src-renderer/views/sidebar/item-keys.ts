import type { ChannelId } from '../../../src-shared/ids.ts'

/** What the items of the tree of channels are told apart by. */
export const itemKeys = {
  folder: (key: string): string => `folder:${key}`,
  /** Of the channels of a folder that are set apart. */
  more: (key: string): string => `more:${key}`,
  channel: (channelId: ChannelId): string => `channel:${channelId}`,
  topicStart: 'topic:',
  topic: (channelId: ChannelId, topic: string): string => `topic:${channelId}:${topic}`,
} as const
