import { handlers } from '../handlers/index.ts'
import { sendMessage } from '../messages.ts'
import { userById, type ChannelRow, type Workspace } from '../workspace.ts'
import { sentences } from './phrases.ts'
import { seeded } from './seed.ts'

const shortestMs = 20_000
const longestMs = 60_000
const typingMs = 4_000

/** Teammates go on talking until `signal` aborts: they type, then write, through the same code as everybody. */
export function startTeammates(workspace: Workspace, signal: AbortSignal): void {
  const random = seeded(workspace.now())
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)]
  const talk = async () => {
    while (!signal.aborted) {
      await workspace.clock.wait(shortestMs + random() * (longestMs - shortestMs), signal)
      if (signal.aborted) return
      const sender = userById(workspace.db, 2 + Math.floor(random() * 11))
      const channel = pick(
        workspace.db.all<ChannelRow>(
          'SELECT * FROM channels WHERE is_archived = 0 AND channel_id IN (1, 2, 3, 6)',
        ),
      )
      const sentence = pick(sentences)
      if (sender === undefined || channel === undefined || sentence === undefined) continue
      const topic = workspace.db.get<{ topic: string }>(
        'SELECT topic FROM messages WHERE channel_id = ? ORDER BY message_id DESC LIMIT 1 OFFSET ?',
        channel.channel_id,
        Math.floor(random() * 20),
      )?.topic
      if (topic === undefined) continue
      const context = { workspace, user: sender, client: 'Dunlin', gone: signal }
      await handlers.setTypingStatus(
        { type: 'stream', op: 'start', stream_id: channel.channel_id, topic },
        context,
      )
      await workspace.clock.wait(typingMs, signal)
      if (signal.aborted) return
      const content = random() < 0.15 ? `@**Maren Aske** ${sentence}` : sentence
      sendMessage(workspace, { sender, target: { kind: 'channel', channel, topic }, content })
    }
  }
  talk().catch((error: unknown) =>
    workspace.log(`teammates: ${error instanceof Error ? (error.stack ?? '') : String(error)}`),
  )
}
