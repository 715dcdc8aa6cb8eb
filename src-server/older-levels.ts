import { formerEmptyTopic } from '../src-shared/topic-names.ts'
import { z } from 'zod'
import type { Endpoint } from '../src-shared/api/endpoint.ts'
import type { EndpointName } from '../src-shared/api/index.ts'
import type { ClientCapabilities } from '../src-shared/api/queue.ts'
import { groupSettingValue } from '../src-shared/api/wire.ts'
import type { Database } from './database.ts'
import {
  answerShapes,
  eventShapes,
  levelChanges,
  type LevelChange,
  type ShapeName,
} from './feature-levels.ts'
import { badRequest, ServiceError } from './service-error.ts'
import type { UserRow } from './workspace.ts'

// A service that behaves as an older level reverts the tagged changes that came later: in parameters before the
// handler runs, in answers and events afterwards. At the newest level none of this runs.

const newest = Math.max(...levelChanges.map(({ level }) => level), 386, 391)

/** Whether nothing has to be reverted. */
const isNewest = (level: number): boolean => level >= newest

const undone = <Kind extends LevelChange['kind']>(kind: Kind, level: number) =>
  levelChanges.filter(
    (change): change is Extract<LevelChange, { kind: Kind }> => change.kind === kind && change.level > level,
  )

/** An endpoint at a level, and the handler's names for its parameters. */
export interface LeveledEndpoint {
  readonly endpoint: Endpoint
  readonly names: ReadonlyMap<string, string>
}

/** The endpoint with the parameters that it accepts at a level. */
export function endpointAt(name: EndpointName, endpoint: Endpoint, level: number): LeveledEndpoint {
  const names = new Map<string, string>()
  if (isNewest(level)) return { endpoint, names }
  // The shape is a plain object of schemas.
  const shape = { ...endpoint.input.shape } as Record<string, z.ZodType>
  for (const change of undone('renamed', level)) {
    const schema = shape[change.to]
    if (change.endpoint !== name || schema === undefined) continue
    delete shape[change.to]
    const { convert } = change
    shape[change.from] = convert === undefined ? schema : z.string().transform(convert)
    names.set(change.from, change.to)
  }
  for (const change of undone('parameters', level))
    if (change.endpoint === name) for (const parameter of change.names) delete shape[parameter]
  for (const change of undone('optional', level)) {
    if (change.endpoint !== name) continue
    for (const parameter of change.names) {
      const schema = shape[parameter]
      const inner: unknown = schema instanceof z.ZodOptional ? schema.unwrap() : undefined
      if (inner instanceof z.ZodType) shape[parameter] = inner
    }
  }
  for (const change of undone('values', level)) {
    const schema = shape[change.name]
    if (change.endpoint !== name || schema === undefined) continue
    const refused: readonly unknown[] = change.values
    shape[change.name] = schema.refine((value) => !refused.includes(value), 'Not in this version')
  }
  if (name === 'updateUserGroup' && level < 260) {
    // Before changes were sent as {old, new}, the bare value; before people could be named, a single group's id.
    const value = level < 258 ? z.int() : groupSettingValue
    const field = level < 198 ? 'can_mention_group_id' : 'can_mention_group'
    shape[field] = value.transform((holders) => ({ new: holders })).optional()
  }
  if (name === 'addReaction' && level < 2) shape['reaction_type'] = z.string().default('unicode_emoji')
  const hasSettings = name === 'updateSettings' ? level >= 80 : isSettings(name)
  if (hasSettings && level < 364) shape['dense_mode'] = z.boolean().optional()
  return { endpoint: { ...endpoint, input: z.object(shape) }, names }
}

const isSettings = (name: EndpointName): boolean =>
  ['updateSettings', 'updateDisplaySettings', 'updateNotificationSettings'].includes(name)

/** The path of an endpoint at a level; undefined if it does not exist there yet. */
export function pathAt(name: EndpointName, { path, since }: Endpoint, level: number): string | undefined {
  // Before the edited message was in the path, the form named it.
  if (name === 'setMessageTypingStatus' && level >= 351 && level < 361) return '/message_edit_typing'
  return (since ?? 0) > level ? undefined : path
}

/** Whether unknown parameters are listed in an answer (specification, Versioning 4). */
export function reportsIgnoredParameters(name: EndpointName, level: number): boolean {
  if (level >= 167) return true
  if (name === 'updateSubscriptionSettings') return level >= 111
  return isSettings(name) && level >= 78
}

/** An answer as a level gives it. */
export function answerAt(
  name: EndpointName,
  answer: object,
  level: number,
  input: unknown,
  reader: Reader,
): object {
  // Events were put into the queue in the level's form already.
  if (isNewest(level) || name === 'getEvents') return answer
  const copy: Record<string, unknown> = structuredClone({ ...answer })
  for (const [shape, path] of answerShapes[name] ?? [])
    for (const one of objectsAt(copy, path)) takeBack(shape, one, level, reader)
  for (const change of undone('answer', level))
    if (change.endpoint === name) for (const field of change.names) delete copy[field]
  if (level < 111 && name === 'updateSubscriptionSettings') Object.assign(copy, input)
  return copy
}

/** The receiver of an answer or an event. */
export interface Reader {
  readonly userId: number
  /** What older levels report about a person who reacted. */
  person(userId: number): { email: string; full_name: string } | undefined
  /** The id of the group of all administrators. */
  administrators(): number
}

/** An event in the form of a level; none if the level has no such event. */
export function eventAt<Event extends { readonly type: string }>(
  event: Event,
  level: number,
  reader: Reader,
): readonly Event[] {
  if (isNewest(level)) return [event]
  const property: unknown = Reflect.get(event, 'property')
  if (event.type === 'subscription' && property === 'is_muted' && level < 139) return []
  const shapes = eventShapes[event.type]
  if (shapes === undefined) return [event]
  const copy = structuredClone(event)
  const fields: Record<string, unknown> = { ...copy }
  for (const [shape, path] of shapes)
    for (const one of objectsAt(fields, path)) takeBack(shape, one, level, reader)
  const { flags } = fields
  return [Array.isArray(flags) && level < 224 ? { ...copy, flags: withoutWildcards(flags) } : copy]
}

/** A message in the form of a level, for use outside answers and events. */
export function messageAtLevel(message: object, level: number, reader: Reader): object {
  if (isNewest(level)) return message
  const copy: Record<string, unknown> = structuredClone({ ...message })
  takeBack('message', copy, level, reader)
  return copy
}

/** The client capabilities that exist at a level; later ones are not understood. */
export function capabilitiesAt(capabilities: ClientCapabilities, level: number): ClientCapabilities {
  return {
    ...capabilities,
    ...(level < archivedChannelsSince ? { archived_channels: false } : {}),
    ...(level < emptyTopicsSince ? { empty_topic_name: false } : {}),
  }
}

const archivedChannelsSince = 315
const emptyTopicsSince = 334

/** Sets the organization's stored values to what they were at a level. */
export function downgradeOrganization(db: Database, level: number): void {
  const keep = (name: string, value: string, isOlder: boolean) =>
    isOlder
      ? db.run('INSERT OR REPLACE INTO realm VALUES (?, ?)', name, value)
      : db.run('DELETE FROM realm WHERE name = ? AND value = ?', name, value)
  // Before topics could be empty, this was the name of topics without one; the display name is newer.
  keep('empty_topic_display_name', formerEmptyTopic, level < emptyTopicsSince)
  keep('shows_deactivated_holders', 'true', level < 303)
}

/** Refuses what a level does not allow yet; otherwise does nothing. */
export function refuseNewer(
  db: Database,
  path: string,
  name: EndpointName,
  input: Readonly<Record<string, unknown>>,
  user: UserRow,
  level: number,
): void {
  if (isNewest(level)) return
  if (path === '/invites/multiuse' && level < 209 && user.role > 200)
    throw new ServiceError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator')
  if (name !== 'updateUserGroup' && name !== 'updateUserGroupMembers') return
  const group = db.get(
    'SELECT 1 FROM user_groups WHERE group_id = ? AND is_active = 0',
    Number(input['user_group_id']),
  )
  if (group === undefined) return
  const isRename = Object.keys(input).every((field) =>
    ['user_group_id', 'name', 'deactivated'].includes(field),
  )
  if (name === 'updateUserGroupMembers' ? level < 391 : level < 340 && !isRename)
    throw badRequest('You can only rename a deactivated group.')
}

/** The code of a refusal at a level. */
export const codeAt = (code: string, level: number): string =>
  undone('code', level).some((change) => change.code === code) ? 'BAD_REQUEST' : code

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function objectsAt(root: Record<string, unknown>, path: string): Record<string, unknown>[] {
  let found: unknown[] = [root]
  for (const step of path === '' ? [] : path.split('.')) {
    found = found.flatMap((one): unknown[] => {
      if (step !== '*') return isObject(one) ? [one[step]] : []
      return Array.isArray(one) ? one : isObject(one) ? Object.values(one) : []
    })
  }
  return found.filter(isObject)
}

/** Converts an object, in place, to its form at a level. */
function takeBack(shape: ShapeName, object: Record<string, unknown>, level: number, reader: Reader): void {
  if (shape === 'message') messageAt(object, level, reader)
  if (shape === 'channel' && level < 320) {
    const group = object['can_remove_subscribers_group']
    // Older levels know only system groups here, and administrators may always do it.
    if (isObject(group)) object['can_remove_subscribers_group'] = reader.administrators()
  }
  if (shape === 'user' && level < 163 && object['delivery_email'] === null) delete object['delivery_email']
  if (shape === 'historyEntry' && !('prev_rendered_content' in object)) return
  for (const change of undone('fields', level))
    if (change.of === shape) for (const name of change.names) delete object[name]
  for (const change of undone('removed', level)) {
    if (change.of !== shape) continue
    for (const [name, value] of Object.entries(change.fields)) object[name] ??= value
  }
  if (shape === 'settings' && level < 219 && 'web_home_view' in object) {
    object['default_view'] = object['web_home_view']
    delete object['web_home_view']
  }
}

const withoutWildcards = (flags: readonly unknown[]) =>
  flags.filter((flag) => flag !== 'stream_wildcard_mentioned' && flag !== 'topic_wildcard_mentioned')

function messageAt(message: Record<string, unknown>, level: number, reader: Reader): void {
  const { flags, reactions, edit_history: history, topic_links: links } = message
  const moved = Number(message['last_moved_timestamp'] ?? 0)
  if (level < 365 && moved > Number(message['last_edit_timestamp'] ?? 0))
    message['last_edit_timestamp'] = moved
  if (level < 327 && message['type'] === 'private')
    message['recipient_id'] = recipientOf(message, reader.userId)
  if (level < 224 && Array.isArray(flags)) message['flags'] = withoutWildcards(flags)
  if (level < 328 && Array.isArray(reactions)) {
    for (const one of reactions.filter(isObject)) {
      const id = Number(one['user_id'])
      one['user'] = { id, ...reader.person(id), is_mirror_dummy: false }
    }
  }
  if (Array.isArray(history))
    for (const entry of history.filter(isObject)) {
      takeBack('historyEntry', entry, level, reader)
      if (level < 118 && 'prev_topic' in entry) {
        entry['prev_subject'] = entry['prev_topic']
        delete entry['prev_topic']
      }
    }
  if (level < 46 && Array.isArray(links)) {
    message['topic_links'] = links.filter(isObject).map((link) => link['url'])
  }
}

/** Before each conversation had a recipient id of its own, a message from one person carried its reader's. */
function recipientOf(message: Record<string, unknown>, viewerId: number): unknown {
  const { display_recipient: people, sender_id: sender } = message
  if (!Array.isArray(people) || people.length > 2) return message['recipient_id']
  const ids = people.filter(isObject).map((one) => Number(one['id']))
  const other = ids.find((id) => id !== viewerId) ?? viewerId
  return 2_000_000 + (sender === viewerId ? other : viewerId)
}
