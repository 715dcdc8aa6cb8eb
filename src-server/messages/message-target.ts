import { normalizeTopic } from '../topics.ts'
import type { Target } from './messages.ts'
import { canAddressChannel } from '../permissions/channels.ts'
import { knownPeople, personByEmail } from '../people/user-access.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import { channelById, type ChannelRow, type UserRow, type Workspace } from '../workspace.ts'

/** The recipient that POST /messages names. */
export function targetFrom(
  workspace: Workspace,
  sender: UserRow,
  type: string,
  to: number | string | readonly (number | string)[],
  topic: string | undefined,
): Target {
  const { db } = workspace
  if (type === 'stream' || type === 'channel') {
    if (Array.isArray(to) && to.length !== 1) throw badRequest('A channel message goes to one channel.')
    const wanted = Array.isArray(to) ? to[0] : to
    const channel =
      typeof wanted === 'number'
        ? channelById(db, wanted)
        : db.get<ChannelRow>('SELECT * FROM channels WHERE name = ?', String(wanted))
    // A hidden channel is refused in exactly the same way as a missing one.
    if (channel === undefined || !canAddressChannel(db, sender, channel)) {
      throw new ServiceError(
        'STREAM_DOES_NOT_EXIST',
        `There is no channel ${String(wanted)}.`,
        typeof wanted === 'number' ? { stream_id: wanted } : { stream: wanted },
      )
    }
    if (topic === undefined)
      throw new ServiceError('REQUEST_VARIABLE_MISSING', "Missing 'topic' argument", { var_name: 'topic' })
    return {
      kind: 'channel',
      channel,
      topic: normalizeTopic(db, topic),
    }
  }
  const names = Array.isArray(to)
    ? to
    : typeof to === 'string'
      ? to.split(',').map((name) => name.trim())
      : [to]
  if (names.length === 0) throw badRequest('Message must have recipients')
  const known = knownPeople(db, sender)
  const ids = names.map((name: number | string) => {
    const person = typeof name === 'number' ? known(name) : personByEmail(db, sender, name)
    if (person === undefined) throw badRequest(`Invalid recipient: ${String(name)}`)
    if (person.is_active === 0) throw badRequest(`${person.full_name} is no longer using this organization.`)
    return person.user_id
  })
  return { kind: 'direct', userIds: [...new Set([...ids, sender.user_id])].sort((a, b) => a - b) }
}
