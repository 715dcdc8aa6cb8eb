import { expect, test } from 'vitest'
import { channelId } from '../../src-shared/ids.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { ownMoveNotes } from '../../src-renderer/views/feed/move-words.ts'

const place = (topic: string, channel = 1) => ({ channelId: channelId(channel), topic })

test('a topic that stays in its channel is renamed, everything else is moved', () => {
  const notes = t.feed.notes
  expect(ownMoveNotes({ which: 'all', from: place('a'), to: place('b') })).toBe(notes.renaming)
  expect(ownMoveNotes({ which: 'all', from: place('a'), to: place('b', 2) })).toBe(notes.moving)
  expect(ownMoveNotes({ which: 'later', from: place('a'), to: place('b') })).toBe(notes.moving)
})
