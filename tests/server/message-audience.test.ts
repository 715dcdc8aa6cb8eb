import { expect, test } from 'vitest'
import { toldOf } from '../../src-server/messages/message-audience.ts'
import { channelById } from '../../src-server/workspace.ts'
import { startService } from '../support/service.ts'

test('everybody is told of the messages that they received, and only a row per message is read for it', async () => {
  const service = await startService()
  const { workspace } = service
  const [ada, bo, cy, dora] = ['Ada', 'Bo', 'Cy', 'Dora'].map((name) => service.createUser(name).userId)
  const people = [ada ?? 0, bo ?? 0, cy ?? 0]
  const channelId = service.createChannel('sealed', people)
  workspace.db.run(
    'UPDATE channels SET is_private = 1, has_shared_history = 0 WHERE channel_id = ?',
    channelId,
  )
  const ids = Array.from({ length: 6 }, (_, index) =>
    service.send(ada ?? 0, channelId, 'tides', `reading ${index}`),
  )
  const channel = channelById(workspace.db, channelId)
  if (channel === undefined) throw new Error('the channel is gone')
  // Bo joined late and was away once; Dora received one and may not read it any more.
  workspace.db.run(
    'DELETE FROM user_messages WHERE user_id = ? AND message_id IN (?, ?)',
    bo ?? 0,
    ids[0] ?? 0,
    ids[3] ?? 0,
  )
  workspace.db.run(
    'INSERT INTO user_messages (user_id, message_id, is_read) VALUES (?, ?, 1)',
    dora ?? 0,
    ids[1] ?? 0,
  )
  let mostRows = 0
  const db = {
    ...workspace.db,
    all: ((sql: string, ...parameters: []) => {
      const rows = workspace.db.all(sql, ...parameters)
      mostRows = Math.max(mostRows, rows.length)
      return rows
    }) as typeof workspace.db.all,
  }
  const told = toldOf({ ...workspace, db }, channel, ids)
  expect(new Map([...told].sort(([one], [other]) => one - other))).toEqual(
    new Map([
      [ada, ids],
      [bo, [ids[1], ids[2], ids[4], ids[5]]],
      [cy, ids],
    ]),
  )
  expect(mostRows).toBeLessThanOrEqual(ids.length)
  await service.close()
})
