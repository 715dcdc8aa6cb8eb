import { createUser, newApiKey } from '../accounts.ts'
import { createSystemGroups } from '../found-organization.ts'
import { createChannel } from '../channels.ts'
import { addSubscriber } from '../subscriptions.ts'
import { setTopicPolicy } from '../topic-policies.ts'
import { normalizeContent, writeMessage, type Target } from '../messages.ts'
import { putSetting } from '../settings.ts'
import type { ChannelRow, UserRow, Workspace } from '../workspace.ts'
import { bots, channels, folders, people } from './people.ts'
import { constructs, sentences } from './phrases.ts'

const messageCount = 5_200
const topicCount = 160
const daySeconds = 86_400
const yearSeconds = 365 * daySeconds
/** What came after this is unread for Maren where she has not been. */
const unreadSeconds = 2 * 60 * 60

/** Numbers from 0 (included) to 1 (excluded) that are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Fills an empty database with a year of a small group's life; the same every time, relative to now. */
export function seedDemo(workspace: Workspace): void {
  workspace.db.transaction(() => new Seeding(workspace).run())
}

class Seeding {
  readonly #workspace: Workspace
  readonly #random = seeded(20_261_121)
  readonly #users: UserRow[] = []
  readonly #channels: { row: ChannelRow; topics: string[] }[] = []

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  run(): void {
    const { db } = this.#workspace
    db.run(`INSERT INTO realm VALUES ('name', 'Skerry Coast Survey')`)
    db.run(`INSERT INTO realm VALUES ('description', 'Tides, birds and mud between Ness and Holm.')`)
    createSystemGroups(this.#workspace)
    this.#addPeople()
    this.#addChannels()
    this.#addMessages()
    this.#addDirectMessages()
    this.#addPersonal()
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random() * items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }

  #addPeople(): void {
    const joined = this.#workspace.now() - yearSeconds
    const add = (name: string, role: number, timezone: string, botType?: number) => {
      const slug = name.toLowerCase().replaceAll(' ', '.')
      const user = createUser(this.#workspace, {
        fullName: name,
        email: botType === undefined ? `${slug}@skerry.example` : `${slug}-bot@skerry.example`,
        role,
        password: botType === undefined ? 'low-water-at-six' : null,
        apiKey: newApiKey(this.#random),
        timezone,
        joined,
        ...(botType === undefined ? {} : { botType, botOwnerId: 1 }),
      })
      this.#users.push(user)
    }
    for (const { name, role, timezone } of people) add(name, role, timezone)
    for (const { name, type } of bots) add(name, 400, '', type)
    this.#workspace.db.run(
      `INSERT INTO user_groups (name, description, members) VALUES ('observers', 'Everybody who counts', ?)`,
      JSON.stringify([1, 3, 5, 6, 8]),
    )
    this.#workspace.db.run(
      `INSERT INTO linkifiers (pattern, url_template, position) VALUES ('DT-(?P<id>[0-9]{4})', 'https://log.example/entries/{id}', 0)`,
    )
    this.#workspace.db.run(
      `INSERT INTO playgrounds (name, pygments_language, url_template) VALUES ('Notebook', 'Python', 'https://notebook.example/?code={code}')`,
    )
  }

  #addChannels(): void {
    const [creator] = this.#users
    if (creator === undefined) return
    const { db } = this.#workspace
    const created = this.#workspace.now() - yearSeconds
    for (const [index, name] of folders.entries()) {
      db.run(
        'INSERT INTO channel_folders (folder_id, name, description, position, date_created) VALUES (?, ?, ?, ?, ?)',
        index + 1,
        name,
        '',
        index,
        created,
      )
    }
    const group = (name: string) =>
      db.get<{ group_id: number }>('SELECT group_id FROM user_groups WHERE name = ?', name)?.group_id ?? 0
    for (const channel of channels) {
      const row = createChannel(this.#workspace, creator, {
        name: channel.name,
        description: channel.description,
        created,
        isPrivate: channel.kind === 'private',
        isWebPublic: channel.kind === 'web-public',
        ...(channel.folder === null ? {} : { folderId: channel.folder + 1 }),
        ...(channel.kind === 'announcement'
          ? { permissions: [{ setting: 'can_send_message_group', value: group('role:moderators') }] }
          : {}),
      })
      for (const user of this.#users) {
        const isOutside =
          (user.role === 600 && channel.kind === 'private') ||
          (channel.name === 'papers' && user.user_id % 3 === 0)
        if (!isOutside) addSubscriber(this.#workspace, user, row)
      }
      this.#channels.push({ row, topics: [...channel.topics] })
    }
    const places = ['Ness', 'Holm', 'Skerry', 'Ford', 'Spit', 'Sound', 'Quay', 'Marsh', 'Point', 'Isle']
    const matters = ['survey', 'photos', 'repairs', 'samples', 'access', 'readings', 'rota', 'volunteers']
    for (
      let index = this.#channels.reduce((sum, one) => sum + one.topics.length, 0);
      index < topicCount;
      index++
    ) {
      const channel = this.#channels[index % this.#channels.length]
      const done = index % 7 === 0 ? '✔ ' : ''
      channel?.topics.push(
        `${done}${places[index % places.length] ?? ''} ${matters[Math.floor(index / 3) % matters.length] ?? ''} ${Math.floor(index / 10)}`,
      )
    }
  }

  #text(index: number): string {
    if (index % 29 === 0) return this.#pick(constructs)
    const count = 1 + Math.floor(this.#random() * 2.4)
    const text = Array.from({ length: count }, () => this.#pick(sentences)).join(' ')
    return this.#random() < 0.02 ? `@**Maren Aske** ${text}` : text
  }

  #addMessages(): void {
    const now = this.#workspace.now()
    const humans = this.#users.filter((user) => user.bot_type === null)
    const topics = this.#channels.flatMap(({ row, topics: names }) => names.map((topic) => ({ row, topic })))
    const open = topics.filter(({ row }) => row.name !== 'old-survey-2019' && row.name !== 'announcements')
    const archived = topics.filter(({ row }) => row.name === 'old-survey-2019')
    // The hand-named topics of all channels are the recent ones; the order among them is drawn once.
    const ranked = open
      .map((place) => ({ place, rank: (/\d$/.test(place.topic) ? 1 : 0) + this.#random() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ place }) => place)
    const places = [...ranked, ...topics.filter(({ row }) => row.name === 'announcements'), ...archived]
    const plan: { at: number; place: { row: ChannelRow; topic: string } }[] = []
    for (let index = 0; index < messageCount; index++) {
      // Denser towards now, in bursts per topic.
      const age = this.#random() ** 3 * yearSeconds
      const spread = Math.floor(((age / yearSeconds) * 0.85 + this.#random() * 0.15) * places.length)
      const place = places[Math.min(places.length - 1, spread)]
      if (place !== undefined) plan.push({ at: Math.floor(now - 300 - age), place })
    }
    plan.sort((a, b) => a.at - b.at)
    // Every construct once, in a topic that is open, a few hours ago.
    const [first] = topics
    for (const [index, content] of constructs.entries()) {
      if (first !== undefined)
        this.#write(
          { kind: 'channel', channel: first.row, topic: first.topic },
          this.#humanFor(first.row, humans),
          content,
          now - 12 * 3_600 + index * 90,
        )
    }
    for (const [index, { at, place }] of plan.entries()) {
      const sender = index % 97 === 0 ? this.#users[humans.length] : this.#humanFor(place.row, humans)
      if (sender !== undefined)
        this.#write(
          { kind: 'channel', channel: place.row, topic: place.topic },
          sender,
          this.#text(index),
          at,
        )
    }
    for (const { row } of this.#channels) {
      if (row.name === 'old-survey-2019')
        this.#workspace.db.run('UPDATE channels SET is_archived = 1 WHERE channel_id = ?', row.channel_id)
    }
  }

  #humanFor(channel: ChannelRow, humans: readonly UserRow[]): UserRow {
    const inside = humans.filter((user) => channel.is_private === 0 || user.role !== 600)
    return this.#pick(inside)
  }

  #write(target: Target, sender: UserRow, content: string, sentAt: number): number {
    const isRecent = this.#workspace.now() - sentAt < unreadSeconds
    const { id } = writeMessage(this.#workspace, {
      sender,
      target,
      content: normalizeContent(content),
      sentAt,
      client: 'Dunlin',
      readByAll: !isRecent,
    })
    if (this.#random() < 0.12) {
      const [name, code] = this.#pick([
        ['thumbs_up', '1f44d'],
        ['ocean', '1f30a'],
        ['eyes', '1f440'],
        ['tada', '1f389'],
        ['heart', '2764'],
      ] as const)
      for (const user of this.#users.slice(1, 2 + Math.floor(this.#random() * 4))) {
        this.#workspace.db.run(
          `INSERT OR IGNORE INTO reactions (message_id, user_id, reaction_type, emoji_code, emoji_name) VALUES (?, ?, 'unicode_emoji', ?, ?)`,
          id,
          user.user_id,
          code,
          name,
        )
      }
    }
    return id
  }

  #addDirectMessages(): void {
    const now = this.#workspace.now()
    const maren = this.#users[0]
    if (maren === undefined) return
    const sets = [[2], [4], [3, 5], [11], [7, 8, 9]]
    for (const [index, others] of sets.entries()) {
      const userIds = [maren.user_id, ...others].sort((a, b) => a - b)
      for (let line = 0; line < 14; line++) {
        const sender = this.#users.find(
          (user) => user.user_id === (line % 3 === 0 ? maren.user_id : others[line % others.length]),
        )
        if (sender !== undefined)
          this.#write(
            { kind: 'direct', userIds },
            sender,
            this.#pick(sentences),
            now - (index + 1) * 9_000 - (14 - line) * 120,
          )
      }
    }
  }

  #addPersonal(): void {
    const { db } = this.#workspace
    const now = this.#workspace.now()
    const draft = (type: string, to: number[], topic: string, content: string, age: number) =>
      db.run(
        'INSERT INTO drafts (user_id, type, recipients, topic, content, timestamp) VALUES (1, ?, ?, ?, ?, ?)',
        type,
        JSON.stringify(to),
        topic,
        content,
        now - age,
      )
    draft(
      'stream',
      [2],
      'quadrats 12 to 18',
      'Sediment cores from 12 and 13 are labelled N12-a, N12-b, N13-a. I dropped the lid of',
      3_600,
    )
    draft(
      'private',
      [4],
      '',
      'If the wind does back early, would you rather we walked out to the ford and',
      9_000,
    )
    draft('', [], '', 'Shopping for Saturday: oats, lamp oil, the good coffee', 86_400)
    db.run(
      `INSERT INTO saved_snippets (user_id, title, content, date_created) VALUES (1, 'Launch check', 'Fuel, radio, flares, kill cord. Back by dusk.', ?)`,
      now - daySeconds,
    )
    for (const [channelId, topic, policy] of [
      [1, 'gauge 4 offset drift', 3],
      [1, 'datum shift', 1],
      [3, 'roost count Sunday', 3],
    ] as const) {
      setTopicPolicy(this.#workspace, 1, channelId, topic, policy)
    }
    const starred = db.all<{ message_id: number }>(
      'SELECT message_id FROM user_messages WHERE user_id = 1 ORDER BY message_id DESC LIMIT 400',
    )
    for (const [index, { message_id }] of starred.entries()) {
      if (index % 70 === 0)
        db.run('UPDATE user_messages SET is_starred = 1 WHERE user_id = 1 AND message_id = ?', message_id)
    }
    putSetting(this.#workspace.db, 1, 'twenty_four_hour_time', true)
    // Somebody is about: presence makes the people list alive.
    for (const user of this.#users.slice(1, 6)) {
      db.run(
        'UPDATE users SET active_at = ?, idle_at = ? WHERE user_id = ?',
        now - 30,
        now - 10,
        user.user_id,
      )
    }
  }
}
