import { expect } from 'vitest'
import { fresh, type Answer, type Fields, type Organization, type Person } from './organization.ts'

/** The message of a refused request to user groups. */
export const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }
/** The result of changing a user group. */
export const done = { status: 200, body: { result: 'success', msg: '' } }

/** A change of a permission of a group, as the API takes it. */
export const setting = (name: string, value: unknown, old?: unknown): Fields => ({
  [name]: { new: value, ...(old === undefined ? {} : { old }) },
})

/** Operations on the user groups of an organization, for tests. */
export interface Groups {
  /** Creates a group, by default as the member; returns its id. */
  group(by?: Person, fields?: Fields): Promise<number>
  /** A group, as the owner sees it. */
  shown(id: number): Promise<Answer['body']>
  /** The id of a system group. */
  system(name: string): Promise<number>
  /** Only the member, as the holder of a permission. */
  ofAda(): { direct_members: number[]; direct_subgroups: number[] }
}

export function groupsOf(org: Organization): Groups {
  return {
    async group(by = org.member, fields = {}) {
      const { body } = await by.post('/user_groups/create', {
        name: fresh('group'),
        description: 'Some people',
        members: [],
        ...fields,
      })
      expect(body).toMatchObject({ result: 'success' })
      return body['group_id']
    },
    async shown(id) {
      const { body } = await org.owner.get('/user_groups', { include_deactivated_groups: true })
      return body['user_groups'].find((one: { id: number }) => one.id === id)
    },
    async system(name) {
      const { body } = await org.owner.get('/user_groups')
      return body['user_groups'].find((one: { name: string }) => one.name === name).id
    },
    ofAda: () => ({ direct_members: [org.member.id], direct_subgroups: [] }),
  }
}
