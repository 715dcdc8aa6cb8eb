import { png, sendFile } from './files.ts'
import { succeeded, type Organization } from './organization.ts'

/**
 * Sends the member of an organization, for every search filter, one message that matches it and one that does not.
 * Returns their ids by name, in the order of sending.
 */
export async function oneOfEach(org: Organization): Promise<Record<string, number>> {
  const { owner, member, other, admin, guest, plaza, cellar, lobby } = org
  succeeded(await member.post('/users/me/alert_words', { alert_words: ['heron'] }))
  const quay = succeeded(
    await owner.post('/channels/create', {
      name: 'quay',
      subscribers: [member.id, owner.id],
      is_web_public: true,
    }),
  ).id
  const { url } = succeeded(
    await sendFile(org.service, member, '/user_uploads', ['dot.png', png, 'image/png']),
  )
  const made: Record<string, number> = {}
  const keep = async (name: string, sent: Promise<number>) => {
    made[name] = await sent
  }
  await keep('plain', other.send(plaza, 'Tides', 'low water at six'))
  await keep('empty', other.send(plaza, '', 'a heron on the post'))
  await keep('done', other.send(plaza, '✔ Chores', 'all done'))
  await keep('named', other.send(plaza, 'Calls', `@**${member.name}** please look`))
  await keep('silent', other.send(plaza, 'Calls', `thanks @_**${member.name}**`))
  await keep('secret', owner.send(cellar, 'Plans', 'see https://example.com/page'))
  await keep('hall', guest.send(lobby, 'Tides', 'a guest’s question'))
  await keep('wanted', guest.send(lobby, 'Lamps', `which lamp, @**${other.name}**?`))
  await keep('quay', owner.send(quay, 'Tides', 'for the whole world'))
  await keep('picture', member.send(plaza, 'Pictures', `[dot.png](${url})`))
  await keep('note', member.send([member], '', 'a note to myself'))
  await keep('pair', other.send([member], '', 'between two'))
  await keep('three', other.send([member, admin], '', 'between three'))
  const flag = (name: string, ...which: string[]) =>
    member.post('/messages/flags', { op: 'add', flag: name, messages: which.map((one) => made[one]) })
  succeeded(await flag('read', 'plain', 'pair', 'hall'))
  succeeded(await flag('starred', 'done', 'three'))
  succeeded(await other.post(`/messages/${made['picture']}/reactions`, { emoji_name: 'tada' }))
  for (const [channel, topic, visibility_policy] of [
    [plaza, 'Tides', 3],
    [plaza, 'Calls', 1],
    // Unmuted in a muted channel.
    [lobby, 'Lamps', 2],
  ] as const)
    succeeded(await member.post('/user_topics', { stream_id: channel, topic, visibility_policy }))
  succeeded(
    await member.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: lobby, property: 'is_muted', value: true }],
    }),
  )
  return made
}
