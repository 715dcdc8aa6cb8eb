import { createAlarm } from '../src-shared/clock/alarm.ts'
import { apiChannel } from './channels/channels.ts'
import { mutedTopicsOf } from './channels/muted-topics.ts'
import { eventForms, withLegacyKinds, type EventSurroundings } from './events/event-forms.ts'
import { EventQueues } from './events/event-queues.ts'
import { ExportThread } from './exports/export-thread.ts'
import { endInterruptedExports } from './exports/exports.ts'
import { Thumbnails } from './files/thumbnails.ts'
import { downgradeOrganization, eventAt } from './older-levels.ts'
import { settingOf } from './people/settings.ts'
import { canAccessUser, mayKnowAddress, asUnknownUser } from './people/user-access.ts'
import { apiUserGroup } from './people/user-groups.ts'
import { groupById, systemGroupId } from './permissions/groups.ts'
import { LoginAttempts } from './rate-limits.ts'
import { channelById, realmValue, userById, type Workspace, type WorkspaceParts } from './workspace.ts'

/** Builds an organization from its parts, and ends what the last run left unfinished. */
export function createWorkspace(parts: WorkspaceParts): Workspace {
  downgradeOrganization(parts.database, parts.featureLevel)
  // Created once, because a message to a thousand readers comes through here a thousand times.
  const surroundings: EventSurroundings = {
    emptyTopicName: () => realmValue(parts.database, 'empty_topic_display_name'),
    settingOf: (userId, name) => settingOf(parts.database, userId, name),
    isArchived: (channelId) => channelById(parts.database, channelId)?.is_archived === 1,
    channelFor: (userId, channelId) => {
      const user = userById(parts.database, userId)
      const channel = channelById(parts.database, channelId)
      return user === undefined || channel === undefined ? undefined : apiChannel(workspace, user, channel)
    },
    userGroup: (groupId) => {
      const group = groupById(parts.database, groupId)
      return group === undefined
        ? undefined
        : { ...apiUserGroup(workspace, group), deactivated: group.is_active === 0 }
    },
    knows: (viewerId, userId) => {
      const viewer = userById(parts.database, viewerId)
      return viewer !== undefined && canAccessUser(parts.database, viewer, userId)
    },
    knowsAddress: (viewerId, userId) => {
      const viewer = userById(parts.database, viewerId)
      const person = userById(parts.database, userId)
      return viewer !== undefined && person !== undefined && mayKnowAddress(parts.database, viewer, person)
    },
    asUnknownUser: (person) => asUnknownUser<Record<string, unknown>>({ ...person }),
  }
  const queues = new EventQueues(parts.clock, (event, queue) =>
    eventForms(event, queue, surroundings).flatMap((form) =>
      eventAt(form, parts.featureLevel, {
        userId: queue.userId,
        person: (id) => userById(parts.database, id),
        administrators: () => systemGroupId(parts.database, 'role:administrators'),
      }),
    ),
  )
  const workspace: Workspace = {
    ...parts,
    db: parts.database,
    queues,
    alarm: createAlarm(parts.clock),
    webhooks: createAlarm(parts.clock),
    logins: new LoginAttempts(parts.clock),
    exports: new ExportThread(),
    thumbnails: new Thumbnails(parts.configuration.filesDirectory, parts.log),
    url: 'http://127.0.0.1',
    now: () => Math.floor(parts.clock.now() / 1000),
    publish(userIds, event) {
      const people = userIds === null ? null : new Set(userIds)
      const first = people?.values().next().value ?? 0
      const recipient = {
        email: () => userById(parts.database, first)?.email ?? '',
        mutedTopics: () => mutedTopicsOf(parts.database, first),
      }
      for (const one of withLegacyKinds(event, recipient)) {
        for (const queue of queues.interested(one.type, people)) queues.push(queue, one)
      }
    },
  }
  endInterruptedExports(workspace)
  return workspace
}
