import { authorization, png, sendFile } from './files.ts'
import type { Surroundings } from './arbitrary-input.ts'
import {
  allCapabilities,
  fresh,
  succeeded,
  type Fields,
  type Organization,
  type Person,
  type Queue,
} from './organization.ts'

/** Information that only some people may see, each piece with a unique word that no request contains. */
export interface Secrets {
  /** The secret words, by where they are, that a person must not see; all of them for an unauthenticated caller. */
  keptFrom(person: Person | null): ReadonlyMap<string, string>
  /** The ids of secret things, and ids that outsiders may guess. */
  readonly place: Surroundings
  /** The requests of a person who has heard of ids and addresses, and nothing else. */
  readonly questions: readonly (readonly [method: 'get' | 'post' | 'patch', path: string, fields?: Fields])[]
  /** The paths of secret files, below the root. */
  readonly files: readonly string[]
  /** Actions of people who know the secrets; some people are told about each, the others must hear nothing. */
  actOnSecrets(): Promise<void>
}

/** A guessable word that every secret text contains: a person who searches for it must find only their own texts. */
const guessable = 'quartermaster'

/** UNIX seconds, in the year 2096. */
const farAway = 4_000_000_000

/**
 * Fills an organization with the secrets of its owner and its member. The people in `newcomers` join the private
 * channel after its first messages, and may read only later ones.
 */
export async function plantSecrets(org: Organization, newcomers: readonly Person[]): Promise<Secrets> {
  const { owner, member, cellar } = org
  const { db } = org.service.workspace
  const kept: { word: string; what: string; knows: Pick<ReadonlySet<number>, 'has'> }[] = []
  const known = (word: string, what: string, ...who: readonly Pick<Person, 'id'>[]) =>
    void kept.push({ word, what, knows: new Set(who.map(({ id }) => id)) })
  const newWord = () => `hush${kept.length}word`
  const wordOf = (what: string, ...who: readonly Person[]): string => {
    const word = newWord()
    known(word, what, ...who)
    return word
  }
  /** A text with a unique word. */
  const secret = (what: string, ...who: readonly Person[]) => `${guessable} ${wordOf(what, ...who)}`
  const both = [owner, member] as const
  /** Administrators know every channel, invitation, bot and export, but not what people write. */
  const above = [...both, org.admin] as const

  const first = await owner.send(cellar, secret('topic', ...both), secret('message', ...both))
  const edited = await owner.send(cellar, 'plain', secret('older version', ...both))
  succeeded(await owner.patch(`/messages/${edited}`, { content: secret('newer version', ...both) }))
  const upload = succeeded(
    await sendFile(org.service, owner, '/user_uploads', [
      `${secret('file name', ...both).replace(' ', '-')}.png`,
      Buffer.concat([png, Buffer.from(secret('file', ...both))]),
    ]),
  ).url as string
  const withFile = await owner.send(cellar, 'plain', `[${secret('name of a link', ...both)}](${upload})`)
  const token: string = succeeded(await owner.get(upload)).url
  known(token.split('/')[3] ?? '', 'temporary address', owner)
  for (const one of newcomers)
    succeeded(
      await owner.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'cellar' }],
        principals: [one.id],
      }),
    )
  const closed = succeeded(
    await owner.post('/channels/create', {
      name: secret('channel name', ...above),
      description: secret('channel description', ...above),
      invite_only: true,
      subscribers: both.map(({ id }) => id),
    }),
  ).id as number
  const inClosed = await member.send(closed, secret('topic of a channel', ...both), 'About it')
  const direct = await owner.send([member], '', secret('direct message', ...both))
  const alone = await member.send([member], '', secret('words to oneself', member))

  const draft = (content: string) => ({ type: 'stream', to: [cellar], topic: 'plain', content })
  const drafted = succeeded(await owner.post('/drafts', { drafts: [draft(secret('draft', owner))] })).ids[0]
  const snippet = succeeded(
    await owner.post('/saved_snippets', {
      title: secret('title of a snippet', owner),
      content: secret('snippet', owner),
    }),
  ).saved_snippet_id
  const scheduled = succeeded(
    await owner.post('/scheduled_messages', {
      type: 'direct',
      to: [member.id],
      content: secret('scheduled message', owner),
      scheduled_delivery_timestamp: farAway,
    }),
  ).scheduled_message_id
  const reminder = succeeded(
    await owner.post('/reminders', {
      message_id: first,
      scheduled_delivery_timestamp: farAway,
      note: secret('note of a reminder', owner),
    }),
  ).reminder_id
  succeeded(await owner.post('/users/me/alert_words', { alert_words: [secret('alert word', owner)] }))
  succeeded(
    await owner.post('/navigation_views', {
      fragment: 'narrow/near/7',
      is_pinned: true,
      name: secret('name of a view', owner),
    }),
  )
  succeeded(await owner.post('/users/me/android_gcm_reg_id', { token: secret('token of a device', owner) }))
  const invited = `${wordOf('invited', owner, org.admin)}@example.org`
  succeeded(await owner.post('/invites', { invitee_emails: invited, stream_ids: [] }))
  const { invite_link } = succeeded(await owner.post('/invites/multiuse'))
  known(String(invite_link).split('/').at(-2) ?? '', 'link of an invitation', owner, org.admin)
  succeeded(await member.patch('/settings', { email: `${wordOf('new address', member)}@example.org` }))
  const hidden = org.join(newWord())
  known(hidden.name, 'address', hidden)
  succeeded(await hidden.patch('/settings', { full_name: 'Henny Hidden', email_address_visibility: 4 }))
  const bot = succeeded(
    await owner.post('/bots', {
      full_name: fresh('Teller'),
      short_name: 'teller',
      bot_type: 3,
      payload_url: `https://${wordOf('address of a webhook', owner, org.admin)}.example/`,
    }),
  )
  known(bot.api_key, 'key of a bot', owner, org.admin)
  const kin = db.get<{ token: string }>('SELECT token FROM bots WHERE user_id = ?', bot.user_id)
  known(kin?.token ?? '', 'token of a webhook', owner, org.admin)
  for (const row of db.all<{ user_id: number; api_key: string; password_hash: string | null }>(
    'SELECT user_id, api_key, password_hash FROM users WHERE bot_type IS NULL',
  )) {
    known(row.api_key, `key of ${row.user_id}`, { id: row.user_id })
    if (row.password_hash !== null) known(row.password_hash, `hash of the password of ${row.user_id}`)
  }
  db.run(
    'INSERT INTO realm_exports (export_type, acting_user_id, secret, started_ms, finished_ms) VALUES (2, ?, ?, 1, 2)',
    owner.id,
    wordOf('address of an export', owner, org.admin),
  )
  for (const { value } of db.all<{ value: string }>("SELECT value FROM realm WHERE name LIKE '%secret%'"))
    known(value.replaceAll('"', ''), 'secret of the service')

  // This person shares something only with the guest.
  const stranger = org.join(newWord())
  kept.push({ word: stranger.name, what: 'name of a stranger', knows: { has: (id) => id !== org.guest.id } })

  const queue = await owner.register({ client_capabilities: allCapabilities })
  const key = upload.split('/').slice(2, 5).join('/')
  const messages = [first, edited, withFile, inClosed, direct, alone]
  const around = { num_before: 50, num_after: 50, allow_empty_topic_name: true }
  const read = (narrow: readonly object[], anchor: unknown = 'newest') =>
    ['get', '/messages', { ...around, anchor, narrow }] as const
  const search = { operator: 'search', operand: guessable }
  const questions: Secrets['questions'] = [
    ...messages.flatMap((id) => [
      ['get', `/messages/${id}`] as const,
      ['get', `/messages/${id}/history`] as const,
      ['get', `/messages/${id}/read_receipts`] as const,
      read([{ operator: 'id', operand: id }], id),
      read([{ operator: 'near', operand: id }], id),
      read([{ operator: 'with', operand: id }], id),
      read([{ operator: 'id', operand: id }, search], id),
      [
        'patch',
        `/messages/${id}`,
        { topic: 'Taken', stream_id: org.plaza, propagate_mode: 'change_all' },
      ] as const,
      ['post', '/reminders', { message_id: id, scheduled_delivery_timestamp: farAway }] as const,
      ['post', `/messages/${id}/reactions`, { emoji_name: 'tada' }] as const,
      ['post', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' }] as const,
    ]),
    ...[cellar, closed].flatMap((id) => [
      ['get', `/streams/${id}`] as const,
      ['get', `/streams/${id}/members`] as const,
      ['get', `/streams/${id}/email_address`] as const,
      ['get', `/users/me/${id}/topics`] as const,
      ['post', '/users/me/subscriptions', { subscriptions: [{ name: 'cellar' }], stream_id: id }] as const,
      read([{ operator: 'channel', operand: id }]),
      read([{ operator: 'channel', operand: id }, search]),
      ['post', '/messages', { type: 'channel', to: id, topic: 'Guess', content: 'Hello' }] as const,
      [
        'post',
        '/messages',
        { type: 'channel', to: org.plaza, topic: 'Guess', content: `#**${id}** #**cellar>plain**` },
      ] as const,
    ]),
    read([]),
    read([search]),
    read([{ operator: 'sender', operand: owner.id }, search]),
    read([{ operator: 'dm', operand: [owner.id, member.id] }]),
    read([{ operator: 'dm-including', operand: member.id }]),
    read([{ operator: 'channels', operand: 'public', negated: true }, search]),
    read([{ operator: 'has', operand: 'attachment' }]),
    read([{ operator: 'is', operand: 'starred' }]),
    ['get', '/messages', { message_ids: messages, allow_empty_topic_name: true }],
    ['get', '/messages/matches_narrow', { msg_ids: messages, narrow: [search] }],
    ['post', '/messages/render', { content: `#**cellar>plain@${first}** [x](/user_uploads/${key}/x)` }],
    ['post', '/messages', { type: 'direct', to: [owner.id], content: `[x](/user_uploads/${key}/x)` }],
    ['get', `/user_uploads/${key}/x`],
    ['patch', `/drafts/${drafted}`, { draft: draft('taken') }],
    ['patch', `/saved_snippets/${snippet}`, { title: 'taken' }],
    ['patch', `/scheduled_messages/${scheduled}`, { to: [org.other.id] }],
    ['get', `/users/${hidden.id}`],
    ['get', `/users/user${hidden.id}@hidden.invalid`],
    ...[
      '/users',
      '/streams',
      '/attachments',
      '/bots',
      '/invites',
      '/drafts',
      '/export/realm',
      '/scheduled_messages',
    ].map((path) => ['get', path] as const),
    ['get', '/events', { queue_id: queue.id, last_event_id: -1, dont_block: true }],
  ]
  const sizes = ['840x560.webp', '300x200.jpg']
  return {
    keptFrom: (person) =>
      new Map(
        kept
          .filter(({ word, knows }) => word !== '' && !(person !== null && knows.has(person.id)))
          .map(({ word, what }) => [word, what] as const),
      ),
    place: {
      ids: [first, edited, withFile, inClosed, direct, alone, drafted, snippet, scheduled, reminder].concat([
        cellar,
        closed,
        org.plaza,
        owner.id,
        member.id,
        hidden.id,
        bot.user_id,
        1,
        2,
      ]),
      words: [
        ...['cellar', 'plain', guessable, owner.email, owner.name, queue.id],
        ...[`#**cellar>plain@${first}**`, '@**Henny Hidden**', `/user_uploads/${key}/x`],
      ],
    },
    questions,
    files: [
      upload,
      upload.replace('/user_uploads/', '/user_uploads/download/'),
      ...sizes.map((size) => `${upload.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${size}`),
    ],
    async actOnSecrets() {
      // The notice of a move is a new message, and it names the topic's previous name.
      const silent = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }
      const content = secret('message of later', ...both, ...newcomers)
      const id = await owner.send(cellar, secret('topic of later', ...both, ...newcomers), content)
      succeeded(
        await owner.patch(`/messages/${id}`, { content: secret('edit of later', ...both, ...newcomers) }),
      )
      succeeded(await member.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
      succeeded(await owner.delete(`/messages/${id}`))
      // Changes of messages from before they joined are not reported to the newcomers either.
      succeeded(await owner.patch(`/messages/${edited}`, { content: secret('edit of before', ...both) }))
      succeeded(
        await owner.patch(`/messages/${first}`, { topic: secret('move of before', ...both), ...silent }),
      )
      await member.send([owner], '', secret('direct message of later', ...both))
      succeeded(await owner.post('/drafts', { drafts: [draft(secret('new draft', owner))] }))
      succeeded(await owner.post('/saved_snippets', { title: secret('new snippet', owner), content: 'x' }))
      succeeded(
        await owner.post('/reminders', {
          message_id: first,
          scheduled_delivery_timestamp: farAway,
          note: secret('new note', owner),
        }),
      )
      succeeded(await stranger.post('/users/me/status', { status_text: stranger.name }))
      succeeded(await stranger.patch('/settings', { full_name: fresh(stranger.name) }))
      succeeded(await owner.patch(`/drafts/${drafted}`, { draft: draft(secret('draft of later', owner)) }))
      succeeded(
        await owner.patch(`/saved_snippets/${snippet}`, { content: secret('snippet of later', owner) }),
      )
      succeeded(
        await owner.patch(`/scheduled_messages/${scheduled}`, { content: secret('scheduled later', owner) }),
      )
      succeeded(
        await owner.post('/users/me/alert_words', { alert_words: [secret('alert word of later', owner)] }),
      )
      succeeded(
        await owner.patch(`/streams/${closed}`, { description: secret('description of later', ...above) }),
      )
      succeeded(await owner.patch(`/streams/${closed}`, { new_name: secret('name of later', ...above) }))
      const made = succeeded(
        await member.post('/channels/create', {
          name: secret('channel of later', ...above),
          invite_only: true,
          subscribers: both.map((one) => one.id),
        }),
      ).id as number
      succeeded(await member.delete(`/streams/${made}`))
    },
  }
}

/** One person's queues, for clients of all kinds. */
export const listenersOf = async (person: Person, isGuest: boolean): Promise<Queue[]> => [
  await person.register(),
  await person.listen({ apply_markdown: true }),
  await person.listen({ narrow: [['channel', 'cellar']] }),
  ...(isGuest ? [] : [await person.listen({ all_public_streams: true, fetch_event_types: [] })]),
]

export const credentials = (person: Person | null): Record<string, string> =>
  person === null ? {} : { authorization: authorization(person) }
