import { expect, test } from 'vitest'
import { channelId, userId } from '../../src-shared/ids.ts'
import { searchIn } from '../../src-renderer/views/feed/search-in.ts'

test('a search in a topic names its channel and the topic, also one without a name', () => {
  const search = (topic: string) => searchIn({ kind: 'topic', channelId: channelId(7), topic }, ['maps'])
  expect(search('new tiles')).toBe('channel:maps topic:"new tiles"')
  expect(search('')).toBe('channel:maps topic:""')
  // Nothing else of it can be written.
  expect(search('a "quoted" name')).toBe('channel:maps')
})

test('a search in a direct conversation names its people as a search finds them', () => {
  const search = (...names: string[]) => searchIn({ kind: 'direct', userIds: [userId(7), userId(12)] }, names)
  expect(search('Keiko Tamura', '12')).toBe('dm:"Keiko Tamura, 12"')
  expect(search()).toBeNull()
})
