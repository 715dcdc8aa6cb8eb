import { fresh, type Organization } from '../../support/organization.ts'
import {
  everybody,
  members,
  administrators,
  memberAndOwner,
  afterwards,
  type OrganizationRule,
} from './rule.ts'

const groupOfMember = async (org: Organization): Promise<number> =>
  (
    await org.member.post('/user_groups/create', {
      name: fresh('group'),
      description: '',
      members: [org.member.id],
    })
  ).body['group_id']

/** What concerns other people: accounts, bots, groups and invitations. */
export const peopleRules: readonly OrganizationRule[] = [
  {
    endpoints: ['getUsers', 'getUser', 'getUserByEmail'],
    what: 'Look at everybody and at somebody',
    allowed: everybody,
    ask: async (who, { member }) =>
      afterwards(await who.get('/users'), async () =>
        afterwards(await who.get(`/users/${member.id}`), () => who.get(`/users/${member.email}`)),
      ),
  },
  {
    endpoints: ['getRealmPresence', 'getUserPresence'],
    what: 'See who is there',
    allowed: everybody,
    ask: async (who, { member }) => {
      await member.post('/users/me/presence', { status: 'active' })
      return afterwards(await who.get('/realm/presence'), () => who.get(`/users/${member.id}/presence`))
    },
  },
  {
    endpoints: ['updateStatus'],
    what: 'Set the status of somebody else',
    allowed: administrators,
    ask: (who, { other }) => who.post(`/users/${other.id}/status`, { status_text: 'Ill' }),
  },
  {
    endpoints: ['createUser'],
    what: 'Make an account for somebody (other administrators: where the service names them)',
    allowed: ['owner'],
    ask: (who) => {
      const full_name = fresh('Made')
      return who.post('/users', {
        full_name,
        email: `${full_name.replace(' ', '-')}@example.org`,
        password: 'tide tables',
      })
    },
  },
  {
    endpoints: ['updateUser', 'updateUserByEmail', 'deactivateUser', 'reactivateUser'],
    what: 'Change the role of a member, deactivate the account and bring it back',
    allowed: administrators,
    ask: async (who, org) => {
      const { id, email } = org.join(fresh('Person'))
      const at = `/users/${id}`
      const changed = afterwards(await who.patch(at, { role: 300 }), () =>
        who.patch(`/users/${email}`, { role: 400 }),
      )
      return afterwards(await changed, async () =>
        afterwards(await who.delete(at), () => who.post(`${at}/reactivate`)),
      )
    },
  },
  {
    endpoints: ['updateUser'],
    what: 'Make somebody an owner',
    allowed: ['owner'],
    ask: (who, org) => who.patch(`/users/${org.join(fresh('Person')).id}`, { role: 100 }),
  },
  {
    endpoints: ['getBots'],
    what: 'List the own bots',
    allowed: everybody,
    ask: (who) => who.get('/bots'),
  },
  {
    endpoints: ['getBotStorage', 'updateBotStorage', 'removeBotStorage'],
    what: 'Keep something with the service as a bot',
    allowed: ['bot'],
    ask: async (who) =>
      afterwards(await who.put('/bot_storage', { storage: { tide: 'low' } }), async () =>
        afterwards(await who.get('/bot_storage'), () => who.delete('/bot_storage')),
      ),
  },
  {
    endpoints: ['createBot', 'deactivateBot'],
    what: 'Make a bot, and deactivate it',
    allowed: members,
    ask: async (who) => {
      const name = fresh('Bot')
      return afterwards(
        await who.post('/bots', { full_name: name, short_name: name.replace(' ', '-').toLowerCase() }),
        ({ user_id }) => who.delete(`/bots/${user_id}`),
      )
    },
  },
  {
    endpoints: ['updateBot', 'regenerateBotKey'],
    what: 'Change the bot of a member, and its key',
    allowed: ['owner', 'administrator', 'member'],
    ask: async (who, org) => {
      const { id } = org.joinBot(fresh('Bot'), org.member)
      return afterwards(await who.patch(`/bots/${id}`, { full_name: fresh('Renamed') }), () =>
        who.post(`/bots/${id}/api_key/regenerate`),
      )
    },
  },
  {
    endpoints: ['getUserGroups', 'getUserGroupMembers', 'getUserGroupSubgroups', 'getIsUserGroupMember'],
    what: 'Look at user groups',
    allowed: members,
    ask: async (who, org) => {
      const at = `/user_groups/${await groupOfMember(org)}`
      return afterwards(await who.get('/user_groups'), async () =>
        afterwards(await who.get(`${at}/members`), async () =>
          afterwards(await who.get(`${at}/subgroups`), () => who.get(`${at}/members/${org.member.id}`)),
        ),
      )
    },
  },
  {
    endpoints: ['createUserGroup'],
    what: 'Make a user group',
    allowed: members,
    ask: (who) => who.post('/user_groups/create', { name: fresh('group'), description: '', members: [] }),
  },
  {
    endpoints: ['updateUserGroup'],
    what: 'Change a user group that the member made',
    allowed: memberAndOwner,
    ask: async (who, org) => who.patch(`/user_groups/${await groupOfMember(org)}`, { description: 'x' }),
  },
  {
    endpoints: ['updateUserGroupMembers'],
    what: 'Put people into it and take them out',
    allowed: memberAndOwner,
    ask: async (who, org) => {
      const at = `/user_groups/${await groupOfMember(org)}/members`
      return who.post(at, { add: [org.other.id], delete: [org.member.id] })
    },
  },
  {
    endpoints: ['updateUserGroupSubgroups'],
    what: 'Put other groups into it',
    allowed: memberAndOwner,
    ask: async (who, org) => {
      const add = [await groupOfMember(org)]
      return who.post(`/user_groups/${await groupOfMember(org)}/subgroups`, { add })
    },
  },
  {
    endpoints: ['deactivateUserGroup'],
    what: 'Deactivate it',
    allowed: memberAndOwner,
    ask: async (who, org) => who.post(`/user_groups/${await groupOfMember(org)}/deactivate`),
  },
  {
    endpoints: ['createInvitation'],
    what: 'Make a link that invites people',
    allowed: administrators,
    ask: (who) => who.post('/invites/multiuse'),
  },
  {
    endpoints: ['sendInvitations', 'resendInvitation', 'revokeMailInvitation'],
    what: 'Invite somebody by mail, once more, and take that back',
    allowed: members,
    ask: async (who) => {
      const invitee_emails = `${fresh('Invited').replace(' ', '-')}@example.org`
      return afterwards(await who.post('/invites', { invitee_emails, stream_ids: [] }), async () => {
        const { id } = (await who.get('/invites')).body['invites'].at(-1)
        return afterwards(await who.post(`/invites/${id}/resend`), () => who.delete(`/invites/${id}`))
      })
    },
  },
  {
    endpoints: ['getInvitations'],
    what: 'List the own invitations',
    allowed: members,
    ask: (who) => who.get('/invites'),
  },
  {
    endpoints: ['revokeInvitation'],
    what: 'Take back the invitation of somebody else',
    allowed: administrators,
    ask: async (who, org) => {
      await org.owner.post('/invites/multiuse')
      const { invites } = (await org.owner.get('/invites')).body
      return who.delete(`/invites/multiuse/${invites.at(-1).id}`)
    },
  },
]
