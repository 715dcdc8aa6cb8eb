// Libraries that do a part of the engine's work, on the same messages within the same run.
import { Index } from 'flexsearch'
import MiniSearch from 'minisearch'
import { createIndexes, createStore } from 'tinybase'
import { applyUpdate, Doc, encodeStateAsUpdate } from 'yjs'
import type { MessageFields } from '../src-main/store/messages.ts'
import { wordsFromHtml } from '../src-main/store/html-text.ts'
import { conversationKey } from '../src-shared/model/conversation.ts'
import { timed, type Contender } from './measure.ts'

/** An in-memory index that finds messages by words. */
export interface SearchPeer {
  readonly name: string
  /** By how much the process grew, in MiB. */
  readonly grownMib: number
  /** How long building took, in milliseconds. */
  readonly builtMs: number
  /** The newest 50 messages with all these words; on request, the last word counts as a prefix. Returned as text. */
  find(words: readonly string[], isBeginning: boolean): string
}

const shown = 50

function grown<T>(build: () => T): { value: T; grownMib: number; builtMs: number } {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const start = performance.now()
  const value = build()
  const builtMs = performance.now() - start
  globalThis.gc?.()
  return { value, builtMs, grownMib: (process.memoryUsage().rss - before) / 2 ** 20 }
}

/** The peers, each with all of these messages. */
export function searchPeers(messages: readonly MessageFields[]): SearchPeer[] {
  const html = new Map(messages.map(({ id, contentHtml }) => [id, contentHtml]))
  const texts = messages.map(({ id, contentHtml }) => ({ id, text: wordsFromHtml(contentHtml) }))
  const newest = (ids: number[]) =>
    JSON.stringify(
      ids
        .sort((a, b) => b - a)
        .slice(0, shown)
        .map((id) => html.get(id)),
    )
  const mini = grown(() => {
    const index = new MiniSearch<{ id: number; text: string }>({ fields: ['text'] })
    for (const one of texts) index.add(one)
    return index
  })
  const flex = grown(() => {
    const index = new Index({ tokenize: 'forward' })
    for (const { id, text } of texts) index.add(id, text)
    return index
  })
  return [
    {
      name: 'MiniSearch, in memory',
      ...mini,
      find: (words, isBeginning) =>
        newest(
          mini.value.search(words.join(' '), { combineWith: 'AND', prefix: isBeginning }).map(({ id }) => id),
        ),
    },
    {
      name: 'FlexSearch, in memory',
      ...flex,
      find: (words) => newest(flex.value.search(words.join(' '), { limit: messages.length }).map(Number)),
    },
  ]
}

/** An in-memory store of messages, indexed by conversation; nothing is on disk or searchable. */
export function tinyBase(): (message: MessageFields) => void {
  const store = createStore()
  createIndexes(store).setIndexDefinition('by-conversation', 'messages', 'conversation', 'sentAt')
  return ({ id, conversation, senderId, senderName, sentAt, contentHtml, isRead }) =>
    store.setRow('messages', String(id), {
      conversation: conversationKey(conversation),
      senderId,
      senderName,
      sentAt,
      contentHtml,
      isRead,
    })
}

interface Versions {
  readonly base: string
  readonly local: string
  readonly remote: string
}

/** Merges versions of drafts by the histories of their letters; both changes of one place are kept side by side. */
export function yjsMerging(drafts: readonly Versions[]): Contender {
  const known = drafts.map(({ base, local, remote }) => {
    const first = docOf(1, base)
    const begun = encodeStateAsUpdate(first)
    return [begun, changedTo(2, begun, local), changedTo(3, begun, remote)] as const
  })
  return {
    name: 'Yjs, from histories that are at hand, both changes kept',
    run: () =>
      known.map((updates) =>
        timed(() => {
          const joined = new Doc()
          for (const update of updates) applyUpdate(joined, update)
          return joined.getText('draft').toString()
        }),
      ),
  }
}

function docOf(clientId: number, text: string): Doc {
  const doc = new Doc()
  doc.clientID = clientId
  doc.getText('draft').insert(0, text)
  return doc
}

/** The history of somebody who started from the beginning and typed, word by word, until the text was this. */
function changedTo(clientId: number, begun: Uint8Array, text: string): Uint8Array {
  const doc = new Doc()
  doc.clientID = clientId
  applyUpdate(doc, begun)
  const shared = doc.getText('draft')
  const before = shared.toString().split(' ')
  let at = 0
  doc.transact(() => {
    for (const [index, word] of text.split(' ').entries()) {
      const old = before[index] ?? ''
      if (old !== word) {
        shared.delete(at, old.length)
        shared.insert(at, word)
      }
      at += word.length + 1
    }
  })
  return encodeStateAsUpdate(doc)
}
