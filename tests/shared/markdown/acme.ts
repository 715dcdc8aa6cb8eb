import type { MarkdownContext } from '../../../src-shared/markdown/render.ts'

const users = [
  { id: 31, fullName: 'Full Name', isActive: true },
  { id: 32, fullName: 'Other One', isActive: true },
  { id: 33, fullName: 'Gone Away', isActive: false },
]
const groups = [
  { id: 17, name: 'group', displayName: 'group', isSystem: false, isActive: true },
  { id: 18, name: 'retired', displayName: 'retired', isSystem: false, isActive: false },
  { id: 3, name: 'role:members', displayName: 'Members', isSystem: true, isActive: true },
]
const channels = [
  { id: 9, name: 'channel' },
  { id: 10, name: 'big news (eu) v1.0' },
]
const images: Record<string, { contentType: string; width: number; height: number; animated: boolean }> = {
  '/user_uploads/2/ab/p.png': { contentType: 'image/png', width: 1920, height: 1080, animated: false },
  '/user_uploads/2/ab/q.png': { contentType: 'image/png', width: 64, height: 32, animated: false },
  '/user_uploads/2/ab/a.gif': { contentType: 'image/gif', width: 128, height: 56, animated: true },
  '/user_uploads/2/ab/h.heic': { contentType: 'image/heic', width: 1920, height: 1080, animated: false },
}

/** An organization with a few people, groups, channels, files and linkifiers. */
export function acme(changes: Partial<MarkdownContext> = {}): MarkdownContext {
  return {
    userByName: (name) => users.find((user) => user.fullName.toLowerCase() === name.toLowerCase()),
    userById: (id) => users.find((user) => user.id === id),
    groupByName: (name) => groups.find((group) => group.name === name),
    channelByName: (name) => channels.find((channel) => channel.name === name),
    latestMessageInTopic: (_, topic) => (topic === 'quiet' ? undefined : 214),
    realmEmoji: (name) =>
      name === 'custom'
        ? { id: '7', sourceUrl: '/user_avatars/2/emoji/images/7.png', stillUrl: null }
        : undefined,
    linkifiers: [
      { id: 1, pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://tracker.example/{id}' },
      {
        id: 2,
        pattern: '(?P<repo>[a-z]+)#(?P<id>[0-9]+)',
        urlTemplate: 'https://code.example/{repo}/pull/{id}{?tab}',
      },
    ],
    defaultCodeLanguage: '',
    realmUrl: 'https://chat.example.com',
    emptyTopicDisplayName: 'general chat',
    translateEmoticons: false,
    inlineImagePreview: true,
    imageByPath: (path) => images[path],
    ...changes,
  }
}
