import type { Handlers } from '../../src-shared/api/index.ts'
import { dayMs } from '../../src-shared/durations.ts'
import { capabilitiesAt } from '../older-levels.ts'
import { isGuest } from '../permissions/roles.ts'
import { narrowFilter } from '../events/queue-narrows.ts'
import { badRequest } from '../service-error.ts'
import { versions } from '../service-version.ts'
import type { HandlerContext } from './context.ts'
import { initialState } from './initial-state.ts'

const longestLifeMs = 7 * dayMs
const spectatorGravatarRefusedSince = 149

export const queue: Pick<Handlers<HandlerContext>, 'registerQueue' | 'getEvents' | 'deleteQueue'> = {
  registerQueue: (input, { workspace, user }) => {
    const capabilities = capabilitiesAt(input.client_capabilities ?? {}, workspace.featureLevel)
    const isSpectator = user.user_id === 0
    if (
      isSpectator &&
      input.client_gravatar === true &&
      workspace.featureLevel >= spectatorGravatarRefusedSince
    )
      throw badRequest("Invalid 'client_gravatar' parameter for anonymous request")
    if (isSpectator && input.include_subscribers === 'true')
      throw badRequest("Invalid 'include_subscribers' parameter for anonymous request")
    if (isGuest(user) && input.all_public_streams === true)
      throw badRequest('User not authorized for this query')
    const eventTypes = input.event_types ?? null
    const narrow = input.narrow ?? []
    const passes = narrowFilter(workspace.db, narrow)
    const registered = isSpectator
      ? { queueId: null, lastEventId: -1 }
      : workspace.queues.register({
          userId: user.user_id,
          eventTypes,
          capabilities,
          applyMarkdown: input.apply_markdown === true,
          allPublicStreams: input.all_public_streams === true,
          slimPresence: input.slim_presence === true,
          narrow,
          passes,
          lifespanMs: Math.min((input.queue_lifespan_secs ?? 0) * 1_000, longestLifeMs),
        })
    const wanted = input.fetch_event_types ?? eventTypes
    const names = (type: string) => wanted?.includes(type) === true
    const wants = (type: string) => wanted === null || names(type)
    return {
      queue_id: registered.queueId,
      last_event_id: registered.lastEventId,
      ...versions(workspace),
      ...initialState({ workspace, user, input, capabilities, wants, names }),
    }
  },
  getEvents: async ({ queue_id, last_event_id, dont_block }, { workspace, user, whenGone }) => {
    if (queue_id === undefined) throw badRequest("Missing 'queue_id' argument")
    if (last_event_id === undefined) throw badRequest("Missing 'last_event_id' argument")
    const events = await workspace.queues.events(
      queue_id,
      user.user_id,
      last_event_id,
      dont_block === true,
      whenGone,
    )
    return { events, queue_id }
  },
  deleteQueue: ({ queue_id }, { workspace, user }) => {
    workspace.queues.remove(queue_id, user.user_id)
    return {}
  },
}
