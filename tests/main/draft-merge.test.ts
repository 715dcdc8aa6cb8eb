import fc from 'fast-check'
import { diffIndices } from 'node-diff3'
import { describe, expect, test } from 'vitest'
import { userId } from '../../src-shared/ids.ts'
import { directConversation, topicConversation } from '../../src-shared/model/conversation.ts'
import type { DraftContent, DraftRecipient } from '../../src-shared/model/draft.ts'
import { changedPieces, mergeDraft } from '../../src-main/drafts/merge.ts'
import { changesBetween } from '../../src-main/drafts/word-changes.ts'

const text = (content: string, recipient: DraftRecipient = null): DraftContent => ({ recipient, content })
const merge = (base: string, local: string, remote: string) =>
  mergeDraft(text(base), text(local), text(remote))
const joined = (base: string, local: string, remote: string) => {
  const merged = merge(base, local, remote)
  return merged.kind === 'clean' ? merged.draft.content : null
}
const conflicts = (base: string, local: string, remote: string) =>
  merge(base, local, remote).pieces.filter((piece) => piece.kind === 'conflict')

describe('word by word', () => {
  test('what was changed says what it was before, and joined is either text', () => {
    expect(changedPieces('the old boat', 'the new boat')).toEqual([
      { text: 'the ', before: 'the ' },
      { text: 'new', before: 'old' },
      { text: ' boat', before: ' boat' },
    ])
    const words = fc.array(fc.constantFrom('tide', 'ebb', ' ', ', ', '\n')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(words, words, (before, after) => {
        const pieces = changedPieces(before, after)
        expect(pieces.map(({ text }) => text).join('')).toBe(after)
        expect(pieces.map((piece) => piece.before).join('')).toBe(before)
      }),
    )
  })

  test('neighbouring words are changed each by one side', () => {
    expect(joined('the old boat', 'the new boat', 'the old ship')).toBe('the new ship')
    expect(joined('the old, boat', 'the new, boat', 'the old, ship')).toBe('the new, ship')
  })

  test('letters of any script, accents and emoji stay whole', () => {
    expect(joined('café au lait ici', 'thé au lait ici', 'café au lait là')).toBe('thé au lait là')
    expect(joined('潮 が 満ちる 今', '潮 が 引く 今', '潮 が 満ちる 明日')).toBe('潮 が 引く 明日')
    expect(joined('潮が 今日 満ちる 今', '潮が 昨日 満ちる 今', '潮が 今日 満ちる 明日')).toBe(
      '潮が 昨日 満ちる 明日',
    )
    expect(joined('👩‍👧 one two', '👩‍👧 one three', '👩‍👧🌊 one two')).toBe('👩‍👧🌊 one three')
  })

  test('a word that one side deleted and the other did not touch is gone', () => {
    expect(joined('take the long way home', 'take the way home', 'take the long way home!')).toBe(
      'take the way home!',
    )
  })

  test('lines added by one side at the top and by the other at the end are all there', () => {
    expect(joined('b\nc', 'a\nb\nc', 'b\nc\nd')).toBe('a\nb\nc\nd')
  })

  test('what both wrote is there once', () => {
    expect(joined('meet at six', 'meet at seven', 'meet at seven')).toBe('meet at seven')
    expect(joined('', 'good morning', 'good morning everybody')).toBe('good morning everybody')
    expect(joined('', 'good morning\n', 'good morning\neverybody')).toBe('good morning\neverybody')
    expect(joined('', 'good morning, everybody!', 'good morning')).toBe('good morning, everybody!')
    expect(joined('', 'good morning', 'good morning!')).toBe('good morning!')
  })

  test('a word that only begins with the letters of the other side’s is another word', () => {
    for (const [local, remote] of [
      ['no', 'not sure'],
      ['meet at 10', 'meet at 1000'],
      ['it costs 1,000', 'it costs 1'],
      ['we can', 'we can’t'],
      ['潮', '潮見'],
    ] as const) {
      expect(conflicts('', local, remote)).toEqual([{ kind: 'conflict', number: 1, base: '', local, remote }])
    }
  })
})

describe('what changed', () => {
  const tokens = fc.array(fc.constantFrom('a', 'b', 'c', ' ', '\n'), { maxLength: 30 })

  test('put in place of what stood there, the changes make the new text; none is superfluous', () => {
    fc.assert(
      fc.property(tokens, tokens, (base, changed) => {
        const changes = changesBetween(base, changed)
        const made: string[] = []
        let done = 0
        for (const { baseStart, baseEnd, start, end } of changes) {
          expect(baseStart).toBeGreaterThanOrEqual(done)
          made.push(...base.slice(done, baseStart), ...changed.slice(start, end))
          done = baseEnd
        }
        expect([...made, ...base.slice(done)]).toEqual(changed)
        const edits = changes.reduce((sum, one) => sum + one.baseEnd - one.baseStart + one.end - one.start, 0)
        const fewest = diffIndices(base, changed).reduce(
          (sum, one) => sum + one.buffer1[1] + one.buffer2[1],
          0,
        )
        expect(edits).toBe(fewest)
      }),
      { numRuns: 3_000 },
    )
  })

  test('two long texts with nothing in common are one change, and quickly told', () => {
    const text = (letter: string) => Array.from({ length: 50_000 }, (_, index) => `${letter}${index}`)
    expect(changesBetween(text('a'), text('b'))).toEqual([
      { baseStart: 0, baseEnd: 50_000, start: 0, end: 50_000 },
    ])
  })
})

describe('regions', () => {
  test('each region of a conflict is numbered, with what both sides wrote and what stood there before', () => {
    expect(
      conflicts('one two three four five six', 'one 2 three four five VI', 'one II three four five 6'),
    ).toEqual([
      { kind: 'conflict', number: 1, base: 'two', local: '2', remote: 'II' },
      { kind: 'conflict', number: 2, base: 'six', local: 'VI', remote: '6' },
    ])
  })

  test('what lies between conflicts is joined, and says whose it is', () => {
    const { pieces } = merge('a b c d e f g', 'x b C d e f g', 'y b c d E f g')
    expect(pieces).toEqual([
      { kind: 'conflict', number: 1, base: 'a', local: 'x', remote: 'y' },
      { kind: 'joined', text: ' b ', from: null, replaced: '' },
      { kind: 'joined', text: 'C', from: 'local', replaced: 'c' },
      { kind: 'joined', text: ' d ', from: null, replaced: '' },
      { kind: 'joined', text: 'E', from: 'remote', replaced: 'e' },
      { kind: 'joined', text: ' f g', from: null, replaced: '' },
    ])
  })

  test('two insertions at one place are a conflict, not an order that nobody chose', () => {
    expect(conflicts('begin end', 'begin mine end', 'begin theirs end')).toMatchObject([
      { base: '', local: expect.stringContaining('mine'), remote: expect.stringContaining('theirs') },
    ])
  })

  test('a deletion against a change of the same words keeps the change in sight', () => {
    expect(conflicts('keep this sentence', 'keep', 'keep that sentence')).toMatchObject([
      { local: '', remote: expect.stringContaining('that') },
    ])
  })

  test('without a common version both texts are shown whole', () => {
    expect(mergeDraft(null, text('mine'), text('theirs')).pieces).toEqual([
      { kind: 'conflict', number: 1, base: '', local: 'mine', remote: 'theirs' },
    ])
  })
})

describe('recipients', () => {
  const drift = topicConversation(7, 'drift')
  const rope = topicConversation(7, 'rope')
  const direct = directConversation([9], userId(1))

  test('the side that chose another recipient wins, whatever became of the text', () => {
    const base = text('one two three', drift)
    expect(mergeDraft(base, text('ONE two three', drift), text('one two three', direct))).toMatchObject({
      kind: 'clean',
      draft: { recipient: direct, content: 'ONE two three' },
    })
    expect(mergeDraft(base, text('one two three', null), text('one two THREE', drift))).toMatchObject({
      kind: 'clean',
      draft: { recipient: null, content: 'one two THREE' },
    })
  })

  test('two different choices are a conflict although the texts agree', () => {
    expect(mergeDraft(text('same', drift), text('same', rope), text('same', direct))).toMatchObject({
      kind: 'conflict',
      recipientDiffers: true,
    })
  })

  test('a corrected spelling of a topic is a choice', () => {
    const spelled = topicConversation(7, 'Drift')
    expect(mergeDraft(text('a', drift), text('a', spelled), text('b', drift))).toMatchObject({
      kind: 'clean',
      draft: { recipient: spelled, content: 'b' },
    })
  })
})
