import { minuteMs, dayMs } from '../../../src-shared/durations.ts'
import { expect, test } from 'vitest'
import { fresh, organization, succeeded, type Answer, type Fields } from '../../support/organization.ts'

// The table of limits (specification, Limits): each row at its limit, and just beyond it.

const org = organization()
const after = (ms: number) => org.clock.set(org.clock.now() + ms)
const isDone = async (answer: Promise<Answer>) => (await answer).body['result'] === 'success'
const maximum = async (name: string): Promise<number> =>
  (await org.admin.register({ fetch_event_types: ['realm'] })).state[name]

const newFolder = (fields: Fields) =>
  org.admin.post('/channel_folders/create', { name: fresh('Folder'), description: '', ...fields })
const changedFolder = async (fields: Fields) =>
  org.admin.patch(`/channel_folders/${succeeded(await newFolder({})).channel_folder_id}`, fields)

const isLetIn = async (fields: Fields, ms: number) => {
  const { invite_link } = succeeded(await org.admin.post('/invites/multiuse', fields))
  after(ms)
  return (await fetch(invite_link)).status === 200
}
const configured = { invitationValidityMinutes: 20 }

interface Limit {
  readonly limit: string
  readonly most: () => Promise<number> | number
  /** Whether the service takes, keeps or shows what is as large or old as this. */
  readonly holds: (size: number) => Promise<boolean>
}

const limits: readonly Limit[] = [
  {
    limit: 'milliseconds that a queue lives without activity',
    most: () => 10 * minuteMs,
    holds: async (ms) => {
      const { id } = await org.member.register({ fetch_event_types: [] })
      after(ms)
      return isDone(org.member.get('/events', { queue_id: id, last_event_id: -1, dont_block: true }))
    },
  },
  {
    limit: 'characters of a welcome',
    most: () => 8_000,
    holds: (length) =>
      isDone(org.admin.post('/invites/multiuse', { welcome_message_custom_text: 'x'.repeat(length) })),
  },
  {
    limit: 'milliseconds that an invitation is good for by itself',
    most: () => 14_400 * minuteMs - 1_000,
    holds: (ms) => isLetIn({}, ms),
  },
  {
    limit: 'milliseconds that it is good for where the server says twenty minutes',
    most: () => 20 * minuteMs - 1_000,
    holds: async (ms) => {
      const { configuration } = org.service.workspace
      const { invitationValidityMinutes } = configuration
      Object.assign(configuration, configured)
      const isValid = await isLetIn({}, ms)
      Object.assign(configuration, { invitationValidityMinutes })
      return isValid
    },
  },
  {
    limit: 'milliseconds that presence is told of',
    most: () => 14 * dayMs,
    holds: async (ms) => {
      const person = org.join(fresh('Paula'))
      succeeded(await person.post('/users/me/presence', { status: 'active' }))
      after(ms)
      const { state } = await org.member.register({ fetch_event_types: ['presence'], slim_presence: true })
      return String(person.id) in state['presences']
    },
  },
  {
    limit: 'characters of a topic',
    most: () => maximum('max_topic_length'),
    holds: (length) =>
      isDone(
        org.member.post('/user_topics', {
          stream_id: org.plaza,
          topic: 'ü'.repeat(length),
          visibility_policy: 1,
        }),
      ),
  },
  {
    limit: 'characters of the name of a new folder',
    most: () => maximum('max_channel_folder_name_length'),
    holds: (length) => isDone(newFolder({ name: 'ü'.repeat(length) })),
  },
  {
    limit: 'characters of the name of a changed folder',
    most: () => maximum('max_channel_folder_name_length'),
    holds: (length) => isDone(changedFolder({ name: 'x'.repeat(length) })),
  },
  {
    limit: 'characters of the description of a new folder',
    most: () => maximum('max_channel_folder_description_length'),
    holds: (length) => isDone(newFolder({ description: 'ü'.repeat(length) })),
  },
  {
    limit: 'characters of the description of a changed folder',
    most: () => maximum('max_channel_folder_description_length'),
    holds: (length) => isDone(changedFolder({ description: 'ü'.repeat(length) })),
  },
]

test.each(limits)(
  'LIMIT-01: A value at the limit is accepted, and a value beyond the limit is rejected ($limit).',
  async (row) => {
    const most = await row.most()
    expect(most).toBeGreaterThan(0)
    expect(await row.holds(most)).toBe(true)
    // Times are whole seconds on the wire.
    expect(await row.holds(most + (row.limit.startsWith('milliseconds') ? 1_000 : 1))).toBe(false)
  },
)
