// The cost of merging two versions of a draft, compared with the comparison that any merge by words needs.
import { diffIndices } from 'node-diff3'
import { mergeDraft } from '../src-main/drafts/merge.ts'
import { yjsMerging } from './peers.ts'
import { compare, timed, type Line } from './measure.ts'
import { randomFrom, word, zipf } from './workload.ts'

const draftCount = 1_000
const wordCount = 200
/** How many words each side changed; both changed one of them. */
const changesPerSide = 4

interface Versions {
  readonly base: string
  readonly local: string
  readonly remote: string
}

/** Drafts that two devices changed in several places, one of which both changed. */
function conflicting(): Versions[] {
  const random = randomFrom(3)
  const anyWord = zipf(3_000, random)
  const anyPlace = () => Math.floor(random() * wordCount)
  return Array.from({ length: draftCount }, () => {
    const base = Array.from({ length: wordCount }, () => word(anyWord()))
    const common = anyPlace()
    const changed = (unlike: number) => {
      const places = new Set([common, ...Array.from({ length: changesPerSide - 1 }, anyPlace)])
      return base.map((one, index) => (places.has(index) ? word(anyWord() + unlike) : one)).join(' ')
    }
    return { base: base.join(' '), local: changed(5_000), remote: changed(10_000) }
  })
}

/** Merges 1,000 drafts of 200 words, each with a conflict; one draft is one run. */
export function draftLines(rounds: number): Promise<Line[]> {
  const drafts = conflicting()
  const tokens = (text: string) => text.split(' ')
  const draft = (content: string) => ({ recipient: null, content })
  const unexpected = drafts.filter(
    ({ base, local, remote }) => mergeDraft(draft(base), draft(local), draft(remote)).kind !== 'conflict',
  )
  if (unexpected.length > 0) throw new Error(`${unexpected.length} drafts are in no conflict.`)
  return compare('joining two versions of a draft of 200 words, in conflict', rounds, [
    {
      name: 'both versions compared with the first by node-diff3',
      run: () =>
        drafts.map(({ base, local, remote }) =>
          timed(() => {
            const first = tokens(base)
            diffIndices(first, tokens(local))
            diffIndices(first, tokens(remote))
          }),
        ),
    },
    yjsMerging(drafts),
    {
      name: 'Dunlin',
      run: () =>
        drafts.map(({ base, local, remote }) =>
          timed(() => mergeDraft(draft(base), draft(local), draft(remote))),
        ),
    },
  ])
}
