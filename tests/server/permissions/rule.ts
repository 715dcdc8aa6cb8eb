import { fresh, type Answer, type Organization, type Person } from '../../support/organization.ts'
import type { EndpointName } from '../../../src-shared/api/index.ts'
import type { Asker } from './channel-rules.ts'

/** What somebody may do outside channels. */
export interface OrganizationRule {
  readonly endpoints: readonly EndpointName[]
  /** What is done, for the reader of the table. */
  readonly what: string
  readonly allowed: readonly Asker[]
  ask(who: Person, org: Organization): Promise<Answer>
}

export const everybody: readonly Asker[] = ['owner', 'administrator', 'moderator', 'member', 'guest', 'bot']
export const withNobody: readonly Asker[] = [...everybody, 'nobody']
export const people = everybody.filter((one) => one !== 'bot')
export const noGuests = everybody.filter((one) => one !== 'guest')
/** Neither guests nor bots. */
export const members = people.filter((one) => one !== 'guest')
export const administrators: readonly Asker[] = ['owner', 'administrator']
/** The member's own, and who manages those of all. */
export const memberAndOwner: readonly Asker[] = ['owner', 'member']

/** What was made, then what is done with it; a refusal to make it is the answer. */
export const afterwards = async (
  made: Answer,
  next: (body: Answer['body']) => Promise<Answer>,
): Promise<Answer> => (made.body['result'] === 'success' ? next(made.body) : made)

/** UNIX seconds, in the year 2096. */
export const farAway = 4_000_000_000
export const profileField = () => ({ name: fresh('Field'), field_type: 1 })
