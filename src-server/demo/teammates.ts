import { daySeconds } from '../../src-shared/durations.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import { pathId, storeFile } from '../files/attachments.ts'
import { handlers } from '../handlers/index.ts'
import type { HandlerContext } from '../handlers/context.ts'
import { activeEmoji } from '../markdown/custom-emoji.ts'
import { directUserIds } from '../messages/direct-groups.ts'
import { sendMessage, type MessageRow, type Target } from '../messages/messages.ts'
import { userById, type ChannelRow, type UserRow, type Workspace } from '../workspace.ts'
import { Answers, reactionTo } from './answers.ts'
import { tideTable } from './bulletins.ts'
import { pick, seeded } from './chance.ts'
import { channels } from './channels.ts'
import { freshTalk, subjects } from './chatter/index.ts'
import { demoEmoji } from './emoji.ts'
import { emojiFile, withFiles } from './files.ts'
import { withTimes } from './moments.ts'
import { bots, people } from './people.ts'
import { scenes } from './scenes.ts'
import { parseScript, type Line } from './script.ts'

const firstPauseMs = 9_000
const typingMs = 5_000
const shortestPauseMs = 18_000
const longestPauseMs = 32_000
/** How often they check for new messages of people. */
const lookMs = 2_000
const reactMs = 3_000
const presenceMs = 50_000
/** How many messages a start looks back through to find what was said before. */
const remembered = 20_000
/** How many conversations that were already had in their topic are skipped in a row; then one is repeated. */
const mostPassedOver = 100
/** The people who are active all the time. */
const regulars = ['keiko', 'ines', 'tomasz', 'odhran', 'priya', 'beatriz']

interface SpokenLine extends Line {
  readonly in: readonly [channel: string, topic: string] | { readonly people: string }
}

/**
 * Teammates write until `signal` aborts, through the same code as everybody. They type, then send; they react to what
 * people write, and answer when they are addressed or mentioned. The first one starts typing within ten seconds. The
 * same clock produces the same messages.
 */
export function startTeammates(workspace: Workspace, signal: AbortSignal): void {
  const teammates = new Teammates(workspace, signal)
  for (const life of [teammates.bringEmoji(), teammates.talk(), teammates.listen(), teammates.stayAbout()]) {
    life.catch((error: unknown) => workspace.log(`teammates: ${describe(error)}`))
  }
}

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))

class Teammates {
  readonly #workspace: Workspace
  readonly #signal: AbortSignal
  readonly #clock: Clock
  readonly #random: () => number
  readonly #answers = new Answers()
  /** The messages that they wrote themselves, so that nobody answers those. */
  readonly #own = new Set<number>()
  /** Conversations in which somebody is about to answer. */
  readonly #answering = new Set<string>()

  constructor(workspace: Workspace, signal: AbortSignal) {
    this.#workspace = workspace
    this.#signal = signal
    this.#clock = workspace.clock
    this.#random = seeded(workspace.now())
  }

  /** The scenes, line by line; after those, conversations of the kind that fill the history. */
  async talk(): Promise<void> {
    await this.#wait(firstPauseMs)
    for (const line of this.#lines()) {
      await this.#attempt(() => this.#perform(line))
      await this.#wait(shortestPauseMs + this.#random() * (longestPauseMs - shortestPauseMs))
      if (this.#signal.aborted) return
    }
  }

  /** Adds the custom emoji of the demo that the organization does not have. */
  async bringEmoji(): Promise<void> {
    const user = this.#user('keiko')
    if (user === undefined) return
    for (const [name, svg] of Object.entries(demoEmoji)) {
      if (activeEmoji(this.#workspace.db, name) !== undefined) continue
      await this.#attempt(async () => {
        const file = await emojiFile(name, svg)
        await handlers.addCustomEmoji({ emoji_name: name }, { ...this.#context(user), file })
      })
    }
  }

  /** Finds messages of people who are not teammates of the demo, and handles them. */
  async listen(): Promise<void> {
    const { db } = this.#workspace
    let last = db.get<{ id: number | null }>('SELECT max(message_id) AS id FROM messages')?.id ?? 0
    while (!this.#signal.aborted) {
      await this.#wait(lookMs)
      if (this.#signal.aborted) return
      const rows = db.all<MessageRow>('SELECT * FROM messages WHERE message_id > ? ORDER BY message_id', last)
      for (const row of rows) {
        last = row.message_id
        if (this.#own.delete(row.message_id)) continue
        void this.#attempt(() => this.#respond(row))
      }
    }
  }

  /** Keeps the regulars active, as their own clients would. */
  async stayAbout(): Promise<void> {
    while (!this.#signal.aborted) {
      for (const key of regulars) {
        const user = this.#user(key)
        if (user !== undefined)
          await this.#attempt(() =>
            handlers.updatePresence({ status: 'active', ping_only: true }, this.#context(user)),
          )
      }
      await this.#wait(presenceMs)
    }
  }

  *#lines(): Generator<SpokenLine> {
    yield* this.#unsaid()
    const said = new Map<string, number>()
    /** What was said in which topic, regardless of the numbers in it. */
    const heard = new Set<string>()
    let passedOver = 0
    for (;;) {
      const subject = pick(
        this.#random,
        subjects.filter(({ channel }) => channel !== 'announcements' && channel !== 'old-survey-2019'),
      )
      const channel = channels.find(({ name }) => name === subject.channel)
      if (channel === undefined) return
      // A new topic each time: nobody discusses a new matter under an old heading.
      const talk = freshTalk(this.#random, subject, channel, said)
      // Everything was used eight times: now it may be used again.
      if (talk.lines.length === 0) said.clear()
      const keys = talk.lines.map(({ text }) => `${talk.topic}>${text.replaceAll(/\d+/g, '#')}`)
      if (keys.some((key) => heard.has(key)) && ++passedOver < mostPassedOver) continue
      passedOver = 0
      for (const key of keys) heard.add(key)
      for (const line of talk.lines) yield { ...line, in: [channel.name, talk.topic] }
    }
  }

  /**
   * The lines of the scenes after the last one that was said, so that a restarted service continues where it was.
   */
  #unsaid(): SpokenLine[] {
    const lines = scenes.flatMap((scene) =>
      parseScript(scene.script).map((line) => ({ ...line, in: scene.in })),
    )
    const said = new Set(
      this.#workspace.db.column<string>(
        `SELECT u.full_name || ':' || m.content AS key FROM messages m JOIN users u ON u.user_id = m.sender_id
         WHERE m.message_id > (SELECT max(message_id) FROM messages) - ?`,
        remembered,
      ),
    )
    // A line with times or files reads differently each time; the lines around it decide.
    const last = lines.findLastIndex(({ by, text }) => said.has(`${this.#user(by)?.full_name}:${text}`))
    return lines.slice(last + 1)
  }

  #wait(ms: number): Promise<void> {
    return this.#clock.wait(ms, this.#signal)
  }

  /**
   * A channel may have been archived, a message deleted, a person deactivated: then only this one step is skipped.
   */
  async #attempt(work: () => unknown): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#workspace.log(`teammates left something out: ${describe(error)}`)
    }
  }

  #user(key: string): UserRow | undefined {
    const name = [...people, ...bots].find((person) => person.key === key)?.name ?? ''
    return this.#workspace.db.get<UserRow>('SELECT * FROM users WHERE full_name = ? AND is_active = 1', name)
  }

  #context(user: UserRow): HandlerContext {
    return { workspace: this.#workspace, user, client: 'Dunlin', file: null, whenGone: () => undefined }
  }

  #target(place: SpokenLine['in']): Target | undefined {
    if ('people' in place) {
      const userIds = place.people.split(' ').flatMap((key) => this.#user(key)?.user_id ?? [])
      return { kind: 'direct', userIds: userIds.sort((a, b) => a - b) }
    }
    const [name, topic] = place
    const channel = this.#workspace.db.get<ChannelRow>('SELECT * FROM channels WHERE name = ?', name)
    return channel && { kind: 'channel', channel, topic }
  }

  async #perform(line: SpokenLine): Promise<void> {
    const sender = this.#user(line.by)
    const target = this.#target(line.in)
    if (sender === undefined || target === undefined) return
    const text = await withFiles(line.text, async (file) => {
      const stored = await storeFile(this.#workspace, sender, file)
      return `/user_uploads/${pathId(stored)}`
    })
    const id = await this.#say(sender, target, withTimes(text, this.#workspace.now()), typingMs)
    for (const { emoji, by } of line.reactions) {
      for (const key of by) {
        const user = this.#user(key)
        if (id === null || user === undefined) continue
        await this.#wait(reactMs)
        await this.#react(user, id, emoji)
      }
    }
  }

  /** Types for a while, then sends; returns the id, or null if it was aborted before that. */
  async #say(sender: UserRow, target: Target, content: string, forMs: number): Promise<number | null> {
    if (sender.bot_type === null) await this.#type(sender, target, 'start')
    await this.#wait(forMs)
    if (this.#signal.aborted) return null
    if (sender.bot_type === null) await this.#type(sender, target, 'stop')
    const id = sendMessage(this.#workspace, { sender, target, content })
    this.#own.add(id)
    return id
  }

  async #type(user: UserRow, target: Target, op: 'start' | 'stop'): Promise<void> {
    await handlers.setTypingStatus(
      target.kind === 'channel'
        ? { type: 'stream', op, stream_id: target.channel.channel_id, topic: target.topic }
        : { type: 'direct', op, to: target.userIds.filter((id) => id !== user.user_id) },
      this.#context(user),
    )
  }

  async #react(user: UserRow, id: number, emoji: string): Promise<void> {
    if (this.#signal.aborted) return
    await handlers.addReaction({ message_id: id, emoji_name: emoji }, this.#context(user))
  }

  /** Reacts to what somebody wrote, and answers it if an answer is expected. */
  async #respond(row: MessageRow): Promise<void> {
    const { db } = this.#workspace
    const sender = userById(db, row.sender_id)
    const place = `${row.channel_id ?? ''}/${row.direct_group_id ?? ''}/${row.topic_key}`
    if (sender === undefined || sender.bot_type !== null || this.#answering.has(place)) return
    this.#answering.add(place)
    try {
      const { reader, isAsked } = this.#readerOf(row)
      if (reader === undefined) return
      await this.#wait(reactMs)
      if (reader.bot_type === null) await this.#react(reader, row.message_id, reactionTo(row.content))
      if (!isAsked) return
      const target = this.#placeOf(row)
      if (target !== undefined) await this.#say(reader, target, this.#answer(reader, row), typingMs)
    } finally {
      this.#answering.delete(place)
    }
  }

  #answer(reader: UserRow, { content }: MessageRow): string {
    if (reader.bot_type === null) return this.#answers.to(content)
    const now = this.#workspace.now()
    return tideTable(now - (now % daySeconds))
  }

  #placeOf(row: MessageRow): Target | undefined {
    if (row.channel_id === null)
      return { kind: 'direct', userIds: directUserIds(this.#workspace.db, row.direct_group_id ?? 0) }
    const channel = this.#workspace.db.get<ChannelRow>(
      'SELECT * FROM channels WHERE channel_id = ?',
      row.channel_id,
    )
    return channel && { kind: 'channel', channel, topic: row.topic }
  }

  /** Who reads a message first, and whether they are expected to answer. */
  #readerOf(row: MessageRow): { reader: UserRow | undefined; isAsked: boolean } {
    const { db } = this.#workspace
    const answers = (user: UserRow | undefined) =>
      user !== undefined &&
      user.is_active === 1 &&
      user.user_id !== row.sender_id &&
      (user.bot_type === null || user.full_name === 'Tide bot')
    if (row.channel_id === null) {
      const others = directUserIds(db, row.direct_group_id ?? 0).map((id) => userById(db, id))
      return { reader: others.filter(answers)[0], isAsked: true }
    }
    const mentioned = db
      .column<number>(
        `SELECT user_id FROM user_messages WHERE message_id = ? AND mention LIKE '%mentioned%' ORDER BY user_id`,
        row.message_id,
      )
      .map((user_id) => userById(db, user_id))
      .filter(answers)[0]
    if (mentioned !== undefined) return { reader: mentioned, isAsked: true }
    const lastWriter = db.get<UserRow>(
      `SELECT u.* FROM messages m JOIN users u ON u.user_id = m.sender_id
       WHERE m.channel_id = ? AND m.topic_key = ? AND m.sender_id <> ? AND u.bot_type IS NULL AND u.is_active = 1
       ORDER BY m.message_id DESC LIMIT 1`,
      row.channel_id,
      row.topic_key,
      row.sender_id,
    )
    return { reader: lastWriter, isAsked: /\?\s*$/.test(row.content) }
  }
}
