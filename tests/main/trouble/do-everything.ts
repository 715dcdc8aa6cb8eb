import { expect } from 'vitest'
import type { ActionInput } from '../../../src-shared/bridge/actions.ts'
import type { CallInputOf, CallName } from '../../../src-shared/bridge/calls.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { abilityFor, isAble, supports, withoutAbility } from '../../../src-shared/model/server-abilities.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { settingOnWire } from '../../../src-main/store/account-settings.ts'
import type { TestService } from '../../support/service.ts'
import type { Bench } from './bench.ts'
import { asking, changing, entries, making, written, type Made, type Place } from './every-act.ts'

/** Does everything that a person can do, with the real service, and checks what the service then has. */
export async function doEverything(bench: Bench, service: TestService, place: Place): Promise<void> {
  const { accountId, bridge, until } = bench
  const { featureLevel } = service.workspace
  /** Does it if the server is able to; otherwise it must be refused at once. */
  const attempt = async (action: ActionInput) => {
    const doing = bridge.call('act', { accountId, action })
    if (supports(featureLevel, action)) return void (await doing)
    const ability = abilityFor(action)
    const lost = ability === null ? null : withoutAbility(ability)
    const failure = failureOf(await doing.catch((error: unknown) => error))
    expect(failure, action.name).toMatchObject({
      code: 'NOT_ON_THIS_SERVER',
      message: lost === null ? t.failures.server.olderAndCannot : `This server is older. ${lost}`,
    })
  }
  const settled = async () => {
    const left = await until('outbox', { accountId }, (items) =>
      items.every(({ state }) => state.state === 'refused'),
    )
    expect(left.map(({ title, state }) => [title, state.reason])).toEqual([])
  }

  service.database.run(
    `INSERT OR REPLACE INTO realm VALUES ('moderation_request_channel_id', ?)`,
    String(place.joining),
  )
  for (const [name, type] of [
    ['Pronouns', 8],
    ['Stands in', 6],
  ] as const)
    service.database.run(
      `INSERT INTO profile_fields (field_type, name, hint, field_data, position, is_in_summary, is_required, is_editable)
       VALUES (?, ?, '', '', 1, 0, 0, 1)`,
      type,
      name,
    )
  for (const [name, inputs] of entries(making))
    // The inputs are those of this name.
    for (const input of inputs(place)) await attempt({ name, ...input } as ActionInput)
  await settled()
  const { values, missing } = await bench.ask('settings', { accountId })
  // There are sixty, so each level has its turn with a third of them.
  const settings = entries(values).filter(
    ([name], index) => !missing.includes(name) && (index + featureLevel) % 3 === 0,
  )
  const made: Made = { ...place, ...whatWasMade(service, place), settings }
  for (const [name, inputs] of entries(changing))
    for (const input of inputs(made)) await attempt({ name, ...input } as ActionInput)
  await settled()
  checkService(service, made)

  for (const [name, inputs] of entries(asking)) {
    for (const input of inputs(made)) {
      const answer = bridge.call(name, { accountId, ...input } as CallInputOf<CallName>)
      if (name !== 'read-receipts' || featureLevel >= 137) await answer
      else {
        const failure = failureOf(await answer.catch((error: unknown) => error))
        expect(failure).toMatchObject({ code: 'NOT_ON_THIS_SERVER' })
      }
    }
  }
}

function whatWasMade({ database }: TestService, { own }: Place): Omit<Made, keyof Place | 'settings'> {
  const ids = (sql: string) => database.all<{ id: number }>(sql, own).map(({ id }) => id)
  const named = (table: string, column: string, name: string) =>
    database.get<{ id: number }>(`SELECT ${column} AS id FROM ${table} WHERE name = ?`, name)?.id ?? 0
  const sent = new Map(
    database
      .all<{ id: number; content: string }>(
        'SELECT message_id AS id, content FROM messages WHERE sender_id = ?',
        own,
      )
      .map(({ id, content }) => [content, id]),
  )
  return {
    // The keys are those of what was written.
    messages: Object.fromEntries(
      entries(written).map(([name, [, content]]) => [name, sent.get(content) ?? 0]),
    ) as Made['messages'],
    spare: named('channels', 'channel_id', 'spare'),
    closing: named('channels', 'channel_id', 'closing'),
    group: named('user_groups', 'group_id', 'deck'),
    inner: named('user_groups', 'group_id', 'galley'),
    idle: named('user_groups', 'group_id', 'oars'),
    folders: database.all<{ id: number }>('SELECT folder_id AS id FROM channel_folders').map(({ id }) => id),
    fields: [
      named('profile_fields', 'field_id', 'Pronouns'),
      named('profile_fields', 'field_id', 'Stands in'),
    ],
    scheduled: ids('SELECT scheduled_id AS id FROM scheduled_messages WHERE user_id = ? ORDER BY deliver_at'),
    snippets: ids('SELECT snippet_id AS id FROM saved_snippets WHERE user_id = ? ORDER BY title'),
    reminders: ids('SELECT reminder_id AS id FROM reminders WHERE user_id = ? ORDER BY deliver_at'),
  }
}

function checkService(service: TestService, made: Made): void {
  const { database, workspace } = service
  const able = (ability: Parameters<typeof isAble>[1]) => isAble(workspace.featureLevel, ability)
  const { own, other, messages, channel, spare, heard } = made
  const rows = (sql: string, ...values: number[]) => database.all(sql, ...values)
  const message = (id: number) =>
    database.get(
      `SELECT content, channel_id, topic, is_read, is_starred, is_collapsed
       FROM messages JOIN user_messages USING (message_id) WHERE message_id = ? AND user_id = ?`,
      id,
      own,
    )
  expect(message(messages.edited)).toMatchObject({ content: 'edited' })
  expect(message(messages.deleted)).toBe(undefined)
  expect(message(messages.collapsed)).toMatchObject({ is_collapsed: 1, is_read: 0 })
  expect(message(messages.alone)).toMatchObject({ channel_id: channel, topic: 'alone' })
  expect(message(messages.andLater)).toMatchObject({ channel_id: channel, topic: 'later' })
  expect(message(messages.whole)).toMatchObject({ channel_id: spare, topic: 'whole' })
  expect(message(heard)).toMatchObject({ is_read: 1, is_starred: 1 })
  const steps = (id: number) => rows('SELECT content FROM submessages WHERE message_id = ?', id)
  expect(steps(messages.poll)).toHaveLength(4)
  expect(steps(messages.list)).toHaveLength(4)
  expect(rows('SELECT emoji_name FROM reactions WHERE message_id = ?', heard)).toEqual([
    { emoji_name: 'eyes' },
  ])

  const ofOwn = (sql: string) => rows(`${sql} WHERE user_id = ?`, own)
  expect(ofOwn('SELECT content, deliver_at FROM scheduled_messages')).toEqual(
    able('scheduledMessages')
      ? [{ content: 'scheduled anew', deliver_at: Math.round(made.now / 1_000) + 4 * 3_600 }]
      : [],
  )
  expect(ofOwn('SELECT title, content FROM saved_snippets')).toEqual(
    able('snippetChanges')
      ? [{ title: 'Kept still', content: 'changed' }]
      : able('savedSnippets')
        ? [{ title: 'Kept', content: 'kept' }]
        : [],
  )
  expect(ofOwn('SELECT deliver_at, note FROM reminders')).toEqual(
    able('reminders')
      ? [
          {
            deliver_at: Math.round(made.now / 1_000) + 5 * 3_600,
            note: able('reminderNotes') ? 'changed' : '',
          },
        ]
      : [],
  )
  expect(ofOwn('SELECT muted_id FROM muted_users')).toEqual(able('mutedPeople') ? [{ muted_id: other }] : [])
  expect(ofOwn('SELECT word FROM alert_words')).toContainEqual({ word: 'gale' })
  expect(ofOwn('SELECT status_text, emoji_name FROM user_status')).toEqual([
    { status_text: 'ashore', emoji_name: 'eyes' },
  ])
  expect(ofOwn('SELECT profile_data FROM users')).toEqual([
    {
      profile_data: JSON.stringify({
        [made.fields[0]]: { value: 'she, her' },
        [made.fields[1]]: { value: `[${other}]` },
      }),
    },
  ])
  for (const { property, value } of changing['update-setting'](made)) {
    const onWire = settingOnWire(property, value, workspace.featureLevel)
    const kept = database.get<{ value: string }>(
      'SELECT value FROM user_settings WHERE user_id = ? AND name = ?',
      own,
      onWire.property,
    )
    if (supports(workspace.featureLevel, { name: 'update-setting', property, value }))
      expect(kept?.value, property).toBe(JSON.stringify(onWire.wireValue))
  }
  const members = (id: number) =>
    rows('SELECT user_id FROM subscriptions WHERE channel_id = ? AND is_active = 1 ORDER BY 1', id).map(
      (row) => Object.values(row as object),
    )
  expect(members(spare)).toEqual([[own], [other]])
  expect(members(channel)).toEqual([[own]])
  expect(members(made.joining)).toContainEqual([own])
  expect(members(made.leaving)).not.toContainEqual([own])
  const [chosen] = rows('SELECT * FROM subscriptions WHERE user_id = ? AND channel_id = ?', own, channel)
  expect(chosen).toMatchObject({
    color: '#964c78',
    is_muted: 1,
    pin_to_top: 1,
    desktop_notifications: 1,
    audible_notifications: 0,
    push_notifications: 1,
    email_notifications: 0,
    wildcard_mentions_notify: 0,
  })

  const group = (id: number) =>
    database.get('SELECT name, description, is_active FROM user_groups WHERE group_id = ?', id)
  expect(group(made.group)).toEqual({ name: 'the deck', description: 'On watch', is_active: 1 })
  expect(group(made.idle)).toMatchObject({ is_active: able('groupDeactivation') ? 0 : 1 })
  expect(rows('SELECT name, is_archived FROM channel_folders ORDER BY folder_id')).toEqual(
    able('channelFolders')
      ? [
          { name: 'Field work', is_archived: 0 },
          { name: 'Harbour', is_archived: 1 },
        ]
      : [],
  )
  expect(rows('SELECT name, description FROM channels WHERE channel_id = ?', spare)).toEqual([
    { name: 'spare ropes', description: 'Whatever is left' },
  ])
  expect(rows('SELECT is_archived FROM channels WHERE channel_id = ?', made.closing)).toEqual([
    { is_archived: 1 },
  ])
}
