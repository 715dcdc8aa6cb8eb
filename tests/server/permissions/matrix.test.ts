import { beforeAll, describe, expect, test } from 'vitest'
import { createChannel } from '../../../src-server/channels/channels.ts'
import { addSubscribers } from '../../../src-server/channels/subscriptions.ts'
import { api } from '../../../src-shared/api/index.ts'
import { fresh, organization, type Answer, type Person } from '../../support/organization.ts'
import { askers, channelRules, kinds, type Asker, type Kind, type Scene } from './channel-rules.ts'
import { organizationRules, withoutRule } from './organization-rules.ts'
import { ownRules } from './own-rules.ts'
import { peopleRules } from './people-rules.ts'

// Who may do what: every line of docs/permissions.md, asked over real HTTP.

const org = organization()
const outsideChannels = [...ownRules, ...peopleRules, ...organizationRules]

/** Somebody of each kind who is in the channels of this test, and somebody who is not. */
let inside: Record<Asker, Person>
let outside: Record<Asker, Person>
let writer: Person

beforeAll(() => {
  const cast = (word: string): Record<Asker, Person> => {
    const member = org.join(fresh(word), 400)
    return {
      owner: org.join(fresh(word), 100),
      administrator: org.join(fresh(word), 200),
      moderator: org.join(fresh(word), 300),
      member,
      guest: org.join(fresh(word), 600),
      bot: org.joinBot(fresh(word), member),
      nobody: org.nobody,
    }
  }
  inside = cast('Insider')
  outside = cast('Outsider')
  writer = org.join(fresh('Writer'))
  org.service.workspace.db.run("INSERT OR REPLACE INTO realm VALUES ('enable_spectator_access', 'true')")
})

/** Takes a channel out of everybody's way again: what is read depends on every channel that there is. */
function endScene({ id }: Scene): void {
  const { db } = org.service.workspace
  db.run('DELETE FROM messages WHERE channel_id = ?', id)
  db.run('DELETE FROM subscriptions WHERE channel_id = ?', id)
  db.run('DELETE FROM channels WHERE channel_id = ?', id)
}

function newScene(kind: Kind): Scene {
  const { workspace } = org.service
  const channel = createChannel(workspace, org.service.owner, {
    name: fresh('scene'),
    description: '',
    isPrivate: kind === 'private',
    isWebPublic: kind === 'web-public',
  })
  const people = [writer, ...Object.values(inside)].filter((person) => person.id !== 0)
  addSubscribers(
    workspace,
    people.map((person) => person.row),
    channel,
  )
  const topic = 'weather'
  const message = org.service.send(writer.id, channel.channel_id, topic, 'Rain')
  return { kind, id: channel.channel_id, name: channel.name, topic, message, writer, stranger: org.other }
}

/** Refusals are answers of the service that say so, never faults of it. */
function assertAnswered(answer: Answer): void {
  expect([200, 400, 401, 403, 404]).toContain(answer.status)
}

describe('in channels', () => {
  for (const rule of channelRules) {
    test(`${rule.endpoints.join(', ')}: ${rule.what}`, async () => {
      for (const kind of kinds) {
        let scene: Scene | undefined
        const found = { inside: [] as Asker[], outside: [] as Asker[] }
        for (const place of ['inside', 'outside'] as const) {
          for (const asker of askers) {
            scene ??= newScene(kind)
            const answer = await rule.ask((place === 'inside' ? inside : outside)[asker], scene)
            assertAnswered(answer)
            if (answer.body['result'] === 'success' && (rule.isGiven?.(answer, scene) ?? true)) {
              found[place].push(asker)
            }
            if (rule.leavesNoTrace !== true) {
              endScene(scene)
              scene = undefined
            }
          }
        }
        if (scene !== undefined) endScene(scene)
        expect({ kind, ...found }).toEqual({ kind, ...rule.allowed[kind] })
      }
    })
  }
})

describe('in the organization', () => {
  for (const rule of outsideChannels) {
    test(`${rule.endpoints.join(', ')}: ${rule.what}`, async () => {
      const { owner, admin: administrator, moderator, member, guest, bot, nobody } = org
      const cast: Record<Asker, Person> = { owner, administrator, moderator, member, guest, bot, nobody }
      const found: Asker[] = []
      for (const asker of askers) {
        const answer = await rule.ask(cast[asker], org)
        assertAnswered(answer)
        if (answer.body['result'] === 'success') found.push(asker)
      }
      expect(found).toEqual(rule.allowed)
    })
  }
})

test('every endpoint is in one of the tables, or among those that need no line, with the reason', () => {
  const known = new Set([
    ...channelRules.flatMap((rule) => rule.endpoints),
    ...outsideChannels.flatMap((rule) => rule.endpoints),
    ...Object.keys(withoutRule),
  ])
  const missing = Object.keys(api).filter((name) => !known.has(name))
  expect(missing, 'add a line to one of the tables in tests/server/permissions').toEqual([])
})
