import { describe, expect, test } from 'vitest'
import { findEmoji, loadEmoji } from '../../src-renderer/emoji.ts'
import { gridRows, stepInGrid, type GridCell } from '../../src-renderer/parts/emoji-grid.ts'
import { speak } from '../../src-shared/texts/texts.ts'
import { emojiFromCode } from '../../src-shared/model/emoji.ts'
import { emojiCodeByName } from '../../src-shared/markdown/emoji.ts'

const cell = (key: string): GridCell => ({
  key,
  emoji: { name: key, code: key, type: 'unicode_emoji' },
  text: key,
  imageUrl: null,
  names: [key],
  words: [],
  tones: [],
})

describe('emoji', () => {
  test('every name that is offered means the same to the service', async () => {
    const all = await loadEmoji()
    expect(all.length).toBeGreaterThan(1_500)
    const wrong = all.filter(({ emoji }) => emojiCodeByName(emoji.name) !== emoji.code)
    expect(wrong.map(({ emoji }) => emoji.name)).toEqual([])
  })

  test('a code of very many characters is none', () => {
    expect(emojiFromCode('1f468-200d-1f469-200d-1f467')).toBe('👨‍👩‍👧')
    expect(emojiFromCode(Array.from({ length: 120_000 }, () => '1f30a').join('-'))).toBe('')
  })

  test('are found by short name, word and topic, exact names first', async () => {
    const all = await loadEmoji()
    const first = (text: string) => findEmoji(all, text)[0]?.text
    expect(first('+1')).toBe('👍️')
    expect(first(':ocean:')).toBe('🌊')
    expect(first('thumbs up')).toBe('👍️')
    expect(first('ta')).not.toBe('🇹🇦')
    expect(findEmoji(all, 'de').map(({ text }) => text)).toContain('🇩🇪')
    expect(findEmoji(all, 'party').map(({ text }) => text)).toContain('🎉')
    expect(findEmoji(all, '')).toEqual([])
    expect(findEmoji(all, 'zzzzz')).toEqual([])
  })

  test('are found by German names and words in a German window, and keep their short names', async () => {
    const inEnglish = await loadEmoji()
    expect(findEmoji(inEnglish, 'herz').map(({ text }) => text)).not.toContain('❤️')
    await speak('de')
    try {
      const all = await loadEmoji()
      const found = (text: string) => findEmoji(all, text).map((one) => one.text)
      expect(found('rotes herz')[0]).toBe('❤️')
      expect(found('Herz').slice(0, 20)).toContain('❤️')
      expect(found('daumen hoch')[0]).toBe('👍️')
      expect(found('lächeln')).toContain('😊')
      expect(found('Rakete')[0]).toBe('🚀')
      // The English ones are still known.
      expect(found('thumbs up')[0]).toBe('👍️')
      expect(all.map(({ emoji, names }) => [emoji, names])).toEqual(
        inEnglish.map(({ emoji, names }) => [emoji, names]),
      )
    } finally {
      await speak('en')
    }
  })

  test('arrows walk the grid across sections of any length', () => {
    const rows = gridRows(
      [
        { name: 'often', title: 'a', cells: ['1', '2'].map(cell) },
        { name: 'organization', title: 'none', cells: [] },
        { name: 'smileys', title: 'b', cells: ['3', '4', '5', '6'].map(cell) },
      ],
      3,
    )
    expect(rows.map((row) => (row.kind === 'title' ? row.title : row.cells.length))).toEqual([
      'a',
      2,
      'b',
      3,
      1,
    ])
    expect(stepInGrid(rows, 1, 'ArrowRight')).toBe(2)
    expect(stepInGrid(rows, 1, 'ArrowDown')).toBe(3)
    expect(stepInGrid(rows, 4, 'ArrowDown')).toBe(5)
    expect(stepInGrid(rows, 5, 'ArrowDown')).toBe(5)
    expect(stepInGrid(rows, 4, 'ArrowUp')).toBe(1)
    expect(stepInGrid(rows, 0, 'ArrowUp')).toBe(0)
    expect(stepInGrid(rows, 0, 'a')).toBeNull()
    expect(stepInGrid([], 0, 'ArrowUp')).toBeNull()
  })
})
