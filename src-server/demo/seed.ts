import { createUser, newApiKey } from '../people/accounts.ts'
import { createSystemGroups } from '../organization/found-organization.ts'
import { addSubscriber } from '../channels/subscriptions.ts'
import { createChannel } from '../channels/channels.ts'
import { hourSeconds, daySeconds, minuteSeconds } from '../../src-shared/durations.ts'
import { emojiCodeByName } from '../../src-shared/markdown/emoji.ts'
import { normalizeContent, writeMessage, type Target } from '../messages/messages.ts'
import { render } from '../markdown/render.ts'
import type { ChannelRow, UserRow, Workspace } from '../workspace.ts'
import { seeded } from './chance.ts'
import { channels, folders } from './channels.ts'
import { plannedHistory, type PlannedMessage } from './history.ts'
import { withTimes } from './moments.ts'
import { bots, groups, people } from './people.ts'
import { addPersonal } from './personal.ts'
import { addProfiles } from './profiles.ts'
import type { Line } from './script.ts'

const yearSeconds = 365 * daySeconds
/** Everybody except Maren has read everything older than this; the conversations say what Maren has read. */
const unreadSeconds = 2 * hourSeconds

/** Fills an empty database with a year in the life of a small group; the same every time, relative to now. */
export function seedDemo(workspace: Workspace): void {
  workspace.db.transaction(() => new Seeding(workspace).run())
}

class Seeding {
  readonly #workspace: Workspace
  readonly #users = new Map<string, UserRow>()
  readonly #channels = new Map<string, ChannelRow>()
  /** The ids of messages that others link to, by label. */
  readonly #labelled = new Map<string, number>()

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  run(): void {
    const { db } = this.#workspace
    db.run(`INSERT INTO realm VALUES ('name', 'Skerry Coast Survey')`)
    db.run(`INSERT INTO realm VALUES ('description', 'Tides, birds and mud between Ness and Holm.')`)
    // Visitors may try out changing old messages.
    for (const limit of ['message_content_edit_limit_seconds', 'message_content_delete_limit_seconds'])
      db.run(`INSERT INTO realm VALUES (?, '')`, limit)
    createSystemGroups(this.#workspace)
    this.#addPeople()
    this.#addRules()
    this.#addChannels()
    this.#addMessages()
    addProfiles(this.#workspace, (key) => this.#user(key).user_id)
    addPersonal(
      this.#workspace,
      (key) => this.#user(key).user_id,
      (name) => this.#channel(name).channel_id,
    )
  }

  #user(key: string): UserRow {
    const user = this.#users.get(key)
    if (user === undefined) throw new Error(`nobody is called ${key}`)
    return user
  }

  #channel(name: string): ChannelRow {
    const channel = this.#channels.get(name)
    if (channel === undefined) throw new Error(`no channel is called ${name}`)
    return channel
  }

  #addPeople(): void {
    const random = seeded(20_261_121)
    const joined = this.#workspace.now() - yearSeconds
    const add = (key: string, name: string, role: number, timezone: string, botType?: number) => {
      const slug = name.toLowerCase().replaceAll(' ', '.')
      const user = createUser(this.#workspace, {
        fullName: name,
        email: botType === undefined ? `${slug}@skerry.example` : `${slug}-bot@skerry.example`,
        role,
        // Everybody can read this password here: a quick start is worth more.
        password: botType === undefined ? 'low-water-at-six' : null,
        passwordCost: { log2N: 10, passes: 1 },
        apiKey: newApiKey(random),
        timezone,
        joined,
        ...(botType === undefined ? {} : { botType, botOwnerId: 1 }),
      })
      this.#users.set(key, user)
    }
    for (const { key, name, role, timezone } of people) add(key, name, role, timezone)
    for (const { key, name, type } of bots) add(key, name, 400, '', type)
  }

  /** The organization's groups, linkifiers and playgrounds. */
  #addRules(): void {
    const { db } = this.#workspace
    for (const { name, description, members } of groups) {
      const ids = members.split(' ').map((key) => this.#user(key).user_id)
      db.run(
        'INSERT INTO user_groups (name, description, members) VALUES (?, ?, ?)',
        name,
        description,
        JSON.stringify(ids.sort((a, b) => a - b)),
      )
    }
    const linkifiers = [
      ['DT-(?P<serial>[0-9]{4})', 'https://kit.skerry.example/loggers/{serial}'],
      ['ring (?P<code>[A-Z0-9]{5})', 'https://rings.example/bird/{code}'],
      ['sheet (?P<sheet>[0-9]{2}[NS])', 'https://maps.skerry.example/{sheet}'],
    ] as const
    for (const [position, [pattern, template]] of linkifiers.entries()) {
      db.run(
        'INSERT INTO linkifiers (pattern, url_template, position) VALUES (?, ?, ?)',
        pattern,
        template,
        position,
      )
    }
    db.run(
      `INSERT INTO playgrounds (name, pygments_language, url_template)
       VALUES ('Survey notebook', 'Python', 'https://nb.skerry.example/new?code={code}')`,
    )
  }

  #addChannels(): void {
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
    const moderators = db.get<{ group_id: number }>(
      `SELECT group_id FROM user_groups WHERE name = 'role:moderators'`,
    )
    for (const channel of channels) {
      const row = createChannel(this.#workspace, this.#user('keiko'), {
        name: channel.name,
        description: channel.description,
        created,
        isPrivate: channel.kind === 'private',
        isWebPublic: channel.kind === 'web-public',
        ...(channel.folder === null ? {} : { folderId: folders.indexOf(channel.folder) + 1 }),
        ...(channel.kind === 'announcement' && moderators !== undefined
          ? { permissions: [{ setting: 'can_send_message_group', value: moderators.group_id }] }
          : {}),
      })
      const members = channel.members?.split(' ') ?? people.map(({ key }) => key)
      for (const key of members) addSubscriber(this.#workspace, this.#user(key), row)
      this.#channels.set(channel.name, row)
    }
  }

  #addMessages(): void {
    const { db } = this.#workspace
    const unread: number[] = []
    for (const message of plannedHistory(this.#workspace.now())) {
      const id = this.#write(message)
      if (message.isUnread) unread.push(id)
    }
    const maren = this.#user('maren').user_id
    db.run('UPDATE user_messages SET is_read = 1 WHERE user_id = ? AND is_read = 0', maren)
    db.run(
      'UPDATE user_messages SET is_read = 0 WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))',
      maren,
      JSON.stringify(unread),
    )
    for (const { name, kind } of channels) {
      if (kind === 'archived')
        db.run('UPDATE channels SET is_archived = 1 WHERE channel_id = ?', this.#channel(name).channel_id)
    }
  }

  #target(place: PlannedMessage['in']): Target {
    if ('people' in place) {
      const userIds = place.people.split(' ').map((key) => this.#user(key).user_id)
      return { kind: 'direct', userIds: userIds.sort((a, b) => a - b) }
    }
    return { kind: 'channel', channel: this.#channel(place[0]), topic: place[1] }
  }

  #content(text: string, sentAt: number): string {
    const linked = text.replaceAll(/\{@(\w+)\}/g, (_, label: string) => {
      const id = this.#labelled.get(label)
      if (id === undefined) throw new Error(`nothing before is labelled ${label}`)
      return String(id)
    })
    return normalizeContent(withTimes(linked, sentAt))
  }

  #write(message: PlannedMessage): number {
    const { sentAt, label } = message
    const sender = this.#user(message.by)
    const { id } = writeMessage(this.#workspace, {
      sender,
      target: this.#target(message.in),
      content: this.#content(message.text, sentAt),
      sentAt,
      client: 'Dunlin',
      readByAll: this.#workspace.now() - sentAt > unreadSeconds,
    })
    if (label !== null) this.#labelled.set(label, id)
    this.#react(id, message.reactions)
    this.#answer(id, message)
    if (message.edited !== null)
      this.#edited(id, sender, message.edited.from, sentAt + message.edited.after * minuteSeconds)
    if (message.isStarred) {
      this.#workspace.db.run(
        'UPDATE user_messages SET is_starred = 1 WHERE user_id = ? AND message_id = ?',
        this.#user('maren').user_id,
        id,
      )
    }
    return id
  }

  #react(id: number, reactions: Line['reactions']): void {
    for (const { emoji, by } of reactions) {
      const code = emojiCodeByName(emoji)
      if (code === undefined) throw new Error(`there is no emoji ${emoji}`)
      for (const key of by) {
        this.#workspace.db.run(
          `INSERT OR IGNORE INTO reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
           VALUES (?, ?, 'unicode_emoji', ?, ?)`,
          id,
          this.#user(key).user_id,
          code,
          emoji,
        )
      }
    }
  }

  /** People's votes in a poll, or completed tasks of a list. */
  #answer(id: number, { votes, done }: Line): void {
    const put = (key: string, content: object) =>
      this.#workspace.db.run(
        `INSERT INTO submessages (message_id, sender_id, msg_type, content) VALUES (?, ?, 'widget', ?)`,
        id,
        this.#user(key).user_id,
        JSON.stringify(content),
      )
    for (const { by, option } of votes) put(by, { type: 'vote', key: `canned,${option}`, vote: 1 })
    for (const { by, option } of done) put(by, { type: 'strike', key: `${option},canned` })
  }

  #edited(id: number, sender: UserRow, before: string, editedAt: number): void {
    const entry = {
      user_id: sender.user_id,
      timestamp: editedAt,
      prev_content: before,
      prev_rendered_content: render(this.#workspace, sender, before).html,
    }
    this.#workspace.db.run(
      'UPDATE messages SET edited_at = ?, edit_history = ? WHERE message_id = ?',
      editedAt,
      JSON.stringify([entry]),
      id,
    )
  }
}
