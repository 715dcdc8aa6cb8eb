import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { accountId, channelId, userId } from '../src-shared/ids.ts'
import { topicConversation } from '../src-shared/model/conversation.ts'
import { secretName } from '../src-main/engine/open-accounts.ts'
import { openAccountsStore } from '../src-main/store/accounts-store.ts'
import { secretsFile } from '../src-main/hosts/secrets-file.ts'
import { createCheckpoints } from '../src-shared/sqlite/checkpoints.ts'
import { putChannel } from '../src-main/store/channels.ts'
import { writeRegistration } from '../src-main/store/cursor.ts'
import { openStore } from '../src-main/store/database.ts'
import type { MessageFields } from '../src-main/store/messages.ts'
import { addRange } from '../src-main/store/ranges.ts'
import { putUser } from '../src-main/store/users.ts'
import { fill, gather } from './engine-filling.ts'
import { mixedHtml } from './mixed-messages.ts'
import { ownUserId, plainChannel, plainUser, workload, type Size } from './workload.ts'

/** Everything that a window of a large organization has to handle, whatever the number of messages. */
export const organizationOf = (messages: number): Size => ({
  users: 10_000,
  channels: 2_000,
  topics: 50_000,
  messages,
})

export const benchAccount = accountId('bench')
/** The topic with twenty thousand messages of every height. */
export const mixedTopic = { channelId: channelId(2_001), topic: 'everything', messages: 20_000 }
/** The account's event queue, which the bench's own server knows. */
export const benchQueue = 'bench'

/** Raise this when the content below changes, so that no old file is measured. */
const form = 2

/**
 * A data directory with one account of that many messages and the topic of mixed heights. It is created once, cached
 * below node_modules/.cache, and copied to `directory`, because windows write to it.
 */
export function copyAccount(messages: number, directory: string, say: (line: string) => void): void {
  const kept = join(import.meta.dirname, `../node_modules/.cache/dunlin-bench/window-${form}-${messages}`)
  if (!existsSync(kept)) {
    say(`filling an account of ${messages} messages for windows…`)
    const unfinished = `${kept}.unfinished`
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(join(unfinished, 'accounts'), { recursive: true })
    makeAccount(messages, unfinished)
    renameSync(unfinished, kept)
  }
  cpSync(kept, directory, { recursive: true })
}

/** Sets the address of the account's server; nothing listens at port 9. */
export async function setServer(directory: string, baseUrl = 'http://127.0.0.1:9/api/v1'): Promise<void> {
  const accounts = await openAccountsStore(directory, () => {})
  accounts.put({
    id: benchAccount,
    baseUrl,
    email: 'p1@example.org',
    userId: userId(1),
    fullName: 'Person 1',
    organizationName: 'Large',
    organizationIconUrl: null,
    isDemo: false,
  })
  accounts.close()
  await secretsFile(join(directory, 'secrets.json'), null, () => {}).set(secretName(benchAccount), 'key')
}

function makeAccount(messages: number, directory: string): void {
  const size = organizationOf(messages)
  const checkpoints = createCheckpoints(() => {})
  const path = join(directory, 'accounts', `${benchAccount}.db`)
  const store = openStore(path, () => {}, { checkpoints })
  store.write((db) => {
    for (let id = 1; id <= size.users; id++) putUser(db, plainUser(id))
    for (let id = 1; id <= size.channels; id++) putChannel(db, { ...plainChannel(id), isSubscribed: true })
    putChannel(db, {
      ...plainChannel(mixedTopic.channelId),
      name: 'everything',
      isSubscribed: true,
      isPinned: true,
    })
  })
  fill(store, path, workload(size))
  fill(store, path, mixed(messages))
  store.write((db) => {
    addRange(db, 'combined', {
      oldestId: 1,
      newestId: messages + mixedTopic.messages,
      reachesBeginning: true,
      isLive: true,
    })
    writeRegistration(db, {
      queueId: benchQueue,
      lastEventId: -1,
      generation: 1,
      featureLevel: 420,
      speaksDialect: false,
      serverVersion: '10.0',
      longpollTimeoutMs: 90_000,
      serverNow: null,
      now: Date.now(),
    })
  })
  store.close()
  checkpoints.close()
  // As after some hours; otherwise the engine would do it while a window is measured.
  gather(path)
}

/** Messages of every height; some of them are consecutive messages by the same person. */
function* mixed(after: number): Generator<MessageFields> {
  const start = Date.UTC(2026, 8, 1)
  for (let index = 1; index <= mixedTopic.messages; index++) {
    const senderId = 2 + (Math.floor(index / 2) % 40)
    yield {
      id: after + index,
      conversation: topicConversation(mixedTopic.channelId, mixedTopic.topic),
      senderId,
      senderName: `Person ${senderId}`,
      sentAt: start + index * 240_000,
      editedAt: index % 17 === 0 ? start + index * 240_000 + 60_000 : null,
      movedAt: null,
      contentHtml: mixedHtml(),
      isMeMessage: false,
      isRead: true,
      isStarred: index % 500 === 0,
      isMentioned: false,
      isOnlyByWildcard: false,
      isCollapsed: false,
      hasAlertWord: false,
      submessages: [],
      changes: [],
      reactions:
        index % 6 === 0
          ? [ownUserId, senderId].map((by) => ({
              type: 'unicode_emoji' as const,
              code: '1f44d',
              name: 'thumbs_up',
              userId: by,
            }))
          : [],
    }
  }
}
