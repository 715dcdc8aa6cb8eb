import { conversationKey } from '../../src-shared/model/conversation.ts'
import type { DraftContent, DraftRecipient, MergePiece } from '../../src-shared/model/draft.ts'
import type { ChangedPiece } from '../../src-shared/model/message.ts'
import { changesBetween, type Change } from './word-changes.ts'

/** The result of merging two versions of a draft. */
export type DraftMerge =
  | { readonly kind: 'clean'; readonly draft: DraftContent; readonly pieces: readonly MergePiece[] }
  /** The pieces contain both texts; the recipient is the local one. */
  | { readonly kind: 'conflict'; readonly pieces: readonly MergePiece[]; readonly recipientDiffers: boolean }

/**
 * Three-way merge of two versions of a draft with their common ancestor `base`; null if they have none.
 *
 * The recipient is merged as a whole, the content word by word. Changes that do not touch are combined; changes that do
 * become numbered conflicts.
 *
 * 1. merge(b, l, b) = l, merge(b, b, r) = r, merge(b, x, x) = x.
 * 2. Every word that a side added is in the result, in a conflict, or was deleted by the other side.
 */
export function mergeDraft(base: DraftContent | null, local: DraftContent, remote: DraftContent): DraftMerge {
  const recipient = mergeRecipient(base, local.recipient, remote.recipient)
  const pieces = mergeText(base?.content ?? null, local.content, remote.content)
  const isClean = recipient !== 'differs' && pieces.every(({ kind }) => kind === 'joined')
  if (!isClean) return { kind: 'conflict', pieces, recipientDiffers: recipient === 'differs' }
  const content = pieces.map((piece) => (piece.kind === 'joined' ? piece.text : '')).join('')
  return { kind: 'clean', draft: { recipient, content }, pieces }
}

/** The differences between two texts, word by word. */
export const changedPieces = (before: string, after: string): ChangedPiece[] =>
  // If the other side has no changes, there are no conflicts.
  mergeText(before, after, before).flatMap((piece): ChangedPiece[] =>
    piece.kind === 'conflict'
      ? []
      : [{ text: piece.text, before: piece.from === null ? piece.text : piece.replaced }],
  )

/**
 * Whether two recipients are the same. The exact spelling of a topic matters, because the person may be correcting it.
 */
export function sameRecipient(a: DraftRecipient, b: DraftRecipient): boolean {
  if (a === null || b === null) return a === b
  if (a.kind === 'topic' && b.kind === 'topic') return a.channelId === b.channelId && a.topic === b.topic
  return conversationKey(a) === conversationKey(b)
}

function mergeRecipient(
  base: DraftContent | null,
  local: DraftRecipient,
  remote: DraftRecipient,
): DraftRecipient | 'differs' {
  if (sameRecipient(local, remote)) return local
  if (base === null) return 'differs'
  if (sameRecipient(local, base.recipient)) return remote
  if (sameRecipient(remote, base.recipient)) return local
  return 'differs'
}

/** Splits a text into words, runs of spaces, line breaks and single punctuation marks. */
function tokens(text: string): string[] {
  return text.match(/\n|[^\S\n]+|[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]/gu) ?? []
}

/** A part of the base that one side replaced. */
interface Hunk extends Change {
  readonly side: 'local' | 'remote'
}

function mergeText(base: string | null, local: string, remote: string): MergePiece[] {
  if (local === remote)
    return joined(local, base === local ? null : 'both', base === local ? '' : (base ?? ''))
  if (base === null) return [{ kind: 'conflict', number: 1, base: '', local, remote }]
  return mergeChanged(base, local, remote)
}

function joined(text: string, from: 'local' | 'remote' | 'both' | null, replaced: string): MergePiece[] {
  return text === '' && replaced === '' ? [] : [{ kind: 'joined', text, from, replaced }]
}

function mergeChanged(baseText: string, localText: string, remoteText: string): MergePiece[] {
  const all = { base: tokens(baseText), local: tokens(localText), remote: tokens(remoteText) }
  // Comparing is quadratic and most edits are in one place, so the common prefix and suffix are removed first.
  const shortest = Math.min(all.base.length, all.local.length, all.remote.length)
  let prefix = 0
  while (prefix < shortest && same(all, (list) => list[prefix])) prefix++
  let suffix = 0
  while (suffix < shortest - prefix && same(all, (list) => list[list.length - 1 - suffix])) suffix++
  const middle = (list: readonly string[]) => list.slice(prefix, list.length - suffix)
  const base = middle(all.base)
  const local = middle(all.local)
  const remote = middle(all.remote)

  const hunks = [...hunksOf('local', base, local), ...hunksOf('remote', base, remote)].sort(
    (a, b) => a.baseStart - b.baseStart || a.baseEnd - b.baseEnd,
  )
  const pieces: MergePiece[] = [...joined(all.base.slice(0, prefix).join(''), null, '')]
  let done = 0
  let conflicts = 0
  for (let index = 0; index < hunks.length;) {
    const first = hunks[index]
    if (first === undefined) break
    const region = [first]
    let regionEnd = first.baseEnd
    index++
    // Changes that touch are one region, even at a single point: two insertions at the same place are a conflict.
    for (let next = hunks[index]; next !== undefined && next.baseStart <= regionEnd; next = hunks[index]) {
      region.push(next)
      regionEnd = Math.max(regionEnd, next.baseEnd)
      index++
    }
    const regionStart = first.baseStart
    pieces.push(...joined(base.slice(done, regionStart).join(''), null, ''))
    done = regionEnd
    const replaced = base.slice(regionStart, regionEnd).join('')
    const mine = sideOf('local', region, regionStart, regionEnd, local)
    const theirs = sideOf('remote', region, regionStart, regionEnd, remote)
    if (theirs === null) pieces.push(...joined(mine ?? '', 'local', replaced))
    else if (mine === null) pieces.push(...joined(theirs, 'remote', replaced))
    else if (mine === theirs) pieces.push(...joined(mine, 'both', replaced))
    else if (goesOn(theirs, mine)) pieces.push(...joined(mine, 'local', replaced))
    else if (goesOn(mine, theirs)) pieces.push(...joined(theirs, 'remote', replaced))
    else pieces.push({ kind: 'conflict', number: ++conflicts, base: replaced, local: mine, remote: theirs })
  }
  pieces.push(...joined(base.slice(done).join(''), null, ''))
  pieces.push(...joined(all.base.slice(all.base.length - suffix).join(''), null, ''))
  return pieces
}

/**
 * Whether a text begins with all words of another, so that it contains everything that either side wrote. The other must
 * end where a word does: "not sure" does not go on from "no", nor "1,000" from "1".
 */
function goesOn(from: string, text: string): boolean {
  if (from === '' || !text.startsWith(from)) return false
  return /\s$/u.test(from) || /^[^\s\p{L}\p{M}\p{N}_]*(\s|$)/u.test(text.slice(from.length))
}

function same(
  all: { base: string[]; local: string[]; remote: string[] },
  pick: (list: string[]) => string | undefined,
): boolean {
  const token = pick(all.base)
  return token === pick(all.local) && token === pick(all.remote)
}

function hunksOf(side: Hunk['side'], base: string[], changed: string[]): Hunk[] {
  return changesBetween(base, changed).map((change) => ({ side, ...change }))
}

/** A side's text in the region; null if it changed nothing there. */
function sideOf(
  side: Hunk['side'],
  region: readonly Hunk[],
  regionStart: number,
  regionEnd: number,
  changed: readonly string[],
): string | null {
  const own = region.filter((hunk) => hunk.side === side)
  const first = own[0]
  const last = own.at(-1)
  if (first === undefined || last === undefined) return null
  const start = first.start - (first.baseStart - regionStart)
  const end = last.end + (regionEnd - last.baseEnd)
  return changed.slice(start, end).join('')
}
