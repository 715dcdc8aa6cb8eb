import { beforeAll, expect } from 'vitest'
import { z } from 'zod'
import { eventForms, formerEventForms } from './event-forms.ts'
import type { OpenApi } from './openapi.ts'
import type { Answer, Organization, Person, Queue } from './organization.ts'
import { formerOrganizationEventForms, organizationEventForms } from './organization-event-forms.ts'
import type { EventForms } from './wire-forms.ts'

export type Event = Answer['body']

const allForms: EventForms = { ...eventForms, ...organizationEventForms }
const allFormerForms: EventForms = { ...formerEventForms, ...formerOrganizationEventForms }

/** An event received by a modern client, or by one that declares no capabilities. */
export interface Captured {
  readonly event: Event
  readonly isFormer: boolean
}

/** The names of an event in the tables: its type, its op and, if one op has several forms, which form it has. */
function kindOf(event: Event): string {
  return [event['type'], event['op'], variantOf(event)].filter((part) => part !== undefined).join(' ')
}

function variantOf({ type, op, ...event }: Event): string | undefined {
  if (op === 'update' && (type === 'stream' || type === 'subscription' || type === 'realm'))
    return event['property']
  if (type === 'realm_user' && op === 'update')
    return Object.keys(event['person'])
      .filter((key) => key !== 'user_id')
      .sort()
      .join('+')
  if (op === 'update_dict') return event['property']
  if (type === 'message') return event['message'].type === 'stream' ? 'in a channel' : 'direct'
  if (type === 'typing' || type === 'typing_edit_message')
    return 'stream_id' in event || event['recipient']?.type === 'channel' ? 'in a channel' : 'direct'
  if (type === 'delete_message') return event['message_type'] === 'stream' ? 'in a channel' : 'direct'
  if (type === 'update_message') {
    const parts = [
      'content' in event && 'words',
      'subject' in event && 'topic',
      'new_stream_id' in event && 'channel',
    ]
    return parts.filter((part) => part !== false).join('+')
  }
  return undefined
}

/**
 * Listens with a modern client and with one that declares no capabilities, for two people and an owner. Everything
 * they receive is checked against the tables.
 */
export function captureEvents(org: Organization) {
  const clients: { owner: Person; queue: Queue; isFormer: boolean }[] = []
  const captured: Captured[] = []
  beforeAll(async () => {
    const everything = { apply_markdown: true, fetch_event_types: [] }
    for (const owner of [org.owner, org.member, org.other]) {
      clients.push({ owner, queue: await owner.listen(everything), isFormer: false })
      const queue = await owner.listen({ ...everything, client_capabilities: {} })
      clients.push({ owner, queue, isFormer: true })
    }
  })

  /** Performs actions; checks that each resulting event has the form of its kind, and that these kinds occurred. */
  async function heard(kinds: string, act: () => Promise<unknown>): Promise<void> {
    for (const { queue } of clients) await queue.events()
    await act()
    const present = new Set<string>()
    for (const { queue, isFormer } of clients) {
      for (const event of await queue.events()) {
        const kind = kindOf(event)
        present.add(kind)
        captured.push({ event, isFormer })
        const form = (isFormer ? allFormerForms[kind] : undefined) ?? allForms[kind]
        expect(form, `${kind} is in no table: ${JSON.stringify(event)}`).toBeDefined()
        const seen = `${kind}${isFormer ? ' (declares nothing)' : ''}: ${JSON.stringify(event)}`
        expect(form?.safeParse(event).error?.issues ?? [], seen).toEqual([])
      }
    }
    const wanted = kinds.split(',').map((kind) => kind.trim())
    expect([...present].sort()).toEqual(expect.arrayContaining(wanted))
  }
  return { heard, captured, clients }
}

/** Checks that every kind of these tables occurred, with and without each optional key. */
export function expectComplete(captured: readonly Captured[], ...tables: readonly EventForms[]): void {
  const heard = new Set(captured.map(({ event }) => kindOf(event)))
  const all = tables.flatMap((table) => Object.entries(table))
  expect(all.map(([kind]) => kind).filter((kind) => !heard.has(kind))).toEqual([])
  for (const [kind, form] of all) {
    if (!(form instanceof z.ZodObject)) continue
    const events = captured.filter(({ event }) => kindOf(event) === kind).map(({ event }) => event)
    for (const [key, value] of Object.entries(form.shape)) {
      if (!(value instanceof z.ZodOptional)) continue
      expect(new Set(events.map((event) => key in event)), `${key} of ${kind}`).toEqual(
        new Set([true, false]),
      )
    }
  }
}

/**
 * Intended differences from that description. It describes feature level 372 of a variant of the service; the
 * specification covers 420 and takes precedence.
 */
const differences: readonly (readonly [difference: RegExp, because: string])[] = [
  [/"additionalProperty":"(topics_policy|folder_id|subscriber_count)"/, 'levels 392, 389 and 394'],
  [
    /"additionalProperty":"can_(delete_(any|own)_message|move_messages_\w+|resolve_topics)_group"/,
    '396 to 407',
  ],
  [/"additionalProperty":"local_message_id"/, 'for the sender alone; not described there'],
  [/^presence: .*"presences"/, 'level 419'],
  [
    /stream update first_message_id: \/value must/,
    'null once the last message is gone: the field of a channel is so',
  ],
  [/reaction_type must be equal/, 'the specification calls the namespace service_extra_emoji'],
  [
    /^message \/message\/(edit_history|last_edit_timestamp|last_moved_timestamp)$/,
    'a new message has no past',
  ],
  [/^reaction (add|remove) \/user\/is_mirror_dummy$/, 'a remainder of the object that level 328 took away'],
  [/can_create_topics_group$/, 'a setting of that variant alone'],
  [/^realm update_dict \/data\//, 'any of many: what changed'],
]

/** Checks that an API description agrees on these events, except for the known differences. */
export function expectDescribed(
  captured: readonly Captured[],
  described: OpenApi | null,
  ...tables: readonly EventForms[]
): void {
  const events = captured
    .filter(({ event }) => tables.some((table) => kindOf(event) in table))
    .map(({ event }) => ({ ...event, id: 0 }))
  const faults = events.flatMap((event) =>
    (described?.eventFaults(event) ?? []).map((fault) => `${kindOf(event)}: ${fault}`),
  )
  const all = new Set([...faults, ...(described?.missingInEvents(events) ?? [])])
  const unexplained = [...all].filter((one) => !differences.some(([pattern]) => pattern.test(one)))
  expect(unexplained).toEqual([])
}
