import { describe, expect, test } from 'vitest'
import { messageId } from '../../src-shared/ids.ts'
import { ReadMarks } from '../../src-renderer/state/reading/read-marks.ts'

describe('ReadMarks', () => {
  test('marks once, after half a second in view, and not what was scrolled past', () => {
    const marks = new ReadMarks()
    const [one, two] = [messageId(1), messageId(2)]
    expect(marks.see([one, two], 0)).toEqual([])
    expect(marks.see([one], 400)).toEqual([])
    expect(marks.see([one, two], 600)).toEqual([one])
    expect(marks.see([one, two], 1_200)).toEqual([two])
    expect(marks.see([one, two], 9_000)).toEqual([])
  })
})
