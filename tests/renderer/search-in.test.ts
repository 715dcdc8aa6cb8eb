import { expect, test } from 'vitest'
import { channelId } from '../../src-shared/ids.ts'
import { searchIn } from '../../src-renderer/views/feed/search-in.ts'

test('a search in a topic names its channel and the topic, also one without a name', () => {
  const search = (topic: string) => searchIn({ kind: 'topic', channelId: channelId(7), topic }, ['maps'])
  expect(search('new tiles')).toBe('channel:maps topic:"new tiles"')
  expect(search('')).toBe('channel:maps topic:""')
  // Nothing else of it can be written.
  expect(search('a "quoted" name')).toBe('channel:maps')
})
