import { describe, test } from 'vitest'
import { checkHistories } from './check.ts'
import { outboxHistory, runOutboxHistory, soloHistory, type OutboxHistory } from './outbox-history.ts'

const file = 'tests/main/model/outbox.test.ts'

test('whatever happens to devices and network, what was written arrives once and in order', async () => {
  await checkHistories(`${file} -t 'whatever happens'`, outboxHistory, runOutboxHistory, 280)
}, 3_600_000)

test('what one device does comes out as the person left it', async () => {
  await checkHistories(`${file} -t 'one device'`, soloHistory, runOutboxHistory, 180)
}, 3_600_000)

describe('histories that once went wrong', () => {
  const histories: Record<string, OutboxHistory> = {
    'a person who retries a send without an answer does not send it twice': {
      devices: 1,
      steps: [
        { do: 'fault', on: 0, fault: 'lost-before', poll: false },
        { do: 'send', on: 0, to: 0, same: false },
        { do: 'retry', on: 0, row: 0 },
      ],
    },
    'the same words twice, the second time without an answer': {
      devices: 1,
      steps: [
        { do: 'send', on: 0, to: 0, same: true },
        { do: 'pass', ms: 1_000 },
        { do: 'fault', on: 0, fault: 'lost-before', poll: false },
        { do: 'send', on: 0, to: 0, same: true },
      ],
    },
    'history is complete although its first page after a gap could not be read': {
      devices: 1,
      steps: [
        { do: 'slow', on: 0, up: 0, down: 3_000, events: 0 },
        { do: 'lose-queue', on: 0 },
        { do: 'pass', ms: 1_000 },
        // The registration is under way, so these faults affect the requests after it.
        { do: 'fault', on: 0, fault: 'page', poll: false },
        { do: 'fault', on: 0, fault: 'truncated', poll: false },
        { do: 'pass', ms: 40_000 },
      ],
    },
    'an edit whose answer was lost is not refused when it is repeated': {
      devices: 1,
      steps: [
        { do: 'slow', on: 0, up: 0, down: 3_000, events: 0 },
        { do: 'send', on: 0, to: 0, same: false },
        { do: 'edit', on: 0, message: 0, sure: true },
        { do: 'kill', on: 0, after: 0 },
      ],
    },
    'a reaction that an older server has already is not refused when it is repeated': {
      devices: 1,
      level: 167,
      steps: [
        { do: 'kill', on: 0, after: 3 },
        { do: 'react', on: 0, message: 0, emoji: 0, put: true },
        { do: 'edit', on: 0, message: 0, sure: false },
      ],
    },
    'a star that follows the removal of none stays': {
      devices: 1,
      steps: [
        { do: 'disconnect', on: 0 },
        { do: 'star', on: 0, message: 1, put: false, many: false },
        { do: 'star', on: 0, message: 1, put: true, many: false },
      ],
    },
    'a mark on a message that is deleted before it leaves is no trouble': {
      devices: 2,
      steps: [
        { do: 'send', on: 0, to: 0, same: false },
        { do: 'slow', on: 1, up: 12_000, down: 0, events: 0 },
        { do: 'read', on: 1, message: 0, put: false },
        { do: 'delete', on: 0, message: 0 },
      ],
    },
    'a send is looked up although the queue of its echo is lost': {
      devices: 1,
      steps: [
        { do: 'slow', on: 0, up: 0, down: 0, events: 3_000 },
        { do: 'send', on: 0, to: 0, same: false },
        { do: 'kill', on: 0, after: 5 },
        { do: 'react', on: 0, message: 0, emoji: 0, put: true },
        { do: 'send', on: 0, to: 0, same: false },
        { do: 'lose-queue', on: 0 },
      ],
    },
    'what another device marked while a mark was on its way is shown': {
      devices: 2,
      steps: [
        { do: 'slow', on: 1, up: 0, down: 12_000, events: 0 },
        { do: 'read', on: 1, message: 0, put: false },
        { do: 'read', on: 0, message: 0, put: true },
      ],
    },
    'what was read with its conversation stays read though it is moved': {
      devices: 1,
      steps: [
        { do: 'fault', on: 0, fault: 'lost-after', poll: false },
        { do: 'read-all', on: 0, to: 1 },
        { do: 'move', message: 0, to: 0 },
      ],
    },
    'a message that was deleted before its device saw it waits no longer': {
      devices: 2,
      steps: [
        { do: 'fault', on: 0, fault: 'lost-after', poll: true },
        { do: 'star', on: 0, message: 0, put: true, many: false },
        { do: 'lose-queue', on: 0 },
        { do: 'send', on: 0, to: 0, same: false },
        { do: 'delete', on: 3, message: 0 },
        { do: 'hear', to: 0 },
      ],
    },
    'a star that changes nothing is not there to be cancelled, whatever else waits': {
      devices: 1,
      steps: [
        { do: 'disconnect', on: 0 },
        { do: 'star', on: 0, message: 1, put: true, many: false },
        { do: 'star', on: 0, message: 0, put: false, many: false },
        { do: 'star', on: 0, message: 0, put: true, many: false },
        { do: 'read-all', on: 0, to: 0 },
      ],
    },
    'a message that is about to be deleted is not taken for another with the same words': {
      devices: 1,
      steps: [
        { do: 'send', on: 0, to: 0, same: true },
        { do: 'fault', on: 0, fault: 'lost-after', poll: false },
        { do: 'edit', on: 0, message: 0, sure: false },
        { do: 'delete', on: 0, message: 0 },
        { do: 'slow', on: 0, up: 12000, down: 0, events: 0 },
        { do: 'send', on: 0, to: 0, same: true },
        { do: 'kill', on: 0, after: 0 },
        { do: 'hear', to: 0 },
      ],
    },
    'a mark that a busy server comes to after a restart does not undo a newer one': {
      devices: 1,
      steps: [
        { do: 'kill', on: 0, after: 3 },
        { do: 'fault', on: 0, fault: 'lost-during', poll: false },
        { do: 'read', on: 0, message: 0, put: false },
        { do: 'read-all', on: 0, to: 2 },
        { do: 'send', on: 0, to: 0, same: false },
      ],
    },
  }
  for (const to of ['poll', 'todo'] as const)
    histories[
      `what two devices add to a ${to} without a network is both there, and a vote for it or a tick counts`
    ] = {
      devices: 2,
      steps: [
        { do: 'disconnect', on: 0 },
        { do: 'disconnect', on: 1 },
        { do: 'add', on: 0, to },
        { do: 'add', on: 1, to },
        { do: 'vote', on: 1, option: 2, put: true },
        { do: 'tick', on: 1, task: 2, put: true },
      ],
    }
  const waiting: OutboxHistory['steps'] = [
    { do: 'fault', on: 0, fault: 'too-many', poll: false },
    { do: 'send', on: 0, to: 0, same: false },
  ]
  histories['a star that another device puts on while it is put on and taken off here is off'] = {
    devices: 2,
    steps: [
      ...waiting,
      { do: 'star', on: 0, message: 1, put: true, many: false },
      { do: 'star', on: 1, message: 1, put: true, many: false },
      { do: 'star', on: 0, message: 1, put: false, many: false },
    ],
  }
  histories['a reaction that another device puts on while it is put on and taken off here is off'] = {
    devices: 2,
    steps: [
      ...waiting,
      { do: 'react', on: 0, message: 1, emoji: 0, put: true },
      { do: 'react', on: 1, message: 1, emoji: 0, put: true },
      { do: 'react', on: 0, message: 1, emoji: 0, put: false },
    ],
  }
  histories['a reaction that another device takes off while it is taken off and put on here is on'] = {
    devices: 2,
    steps: [
      { do: 'react', on: 0, message: 1, emoji: 0, put: true },
      { do: 'pass', ms: 2_600 },
      ...waiting,
      { do: 'react', on: 0, message: 1, emoji: 0, put: false },
      { do: 'react', on: 1, message: 1, emoji: 0, put: false },
      { do: 'react', on: 0, message: 1, emoji: 0, put: true },
    ],
  }
  histories['a send without an answer is looked up though the disk took nothing when the network came back'] =
    {
      devices: 1,
      steps: [
        { do: 'fault', on: 0, fault: 'lost-before', poll: false },
        { do: 'send', on: 0, to: 0, same: false },
        { do: 'fill-disk', on: 0, writes: 1 },
        { do: 'disconnect', on: 0 },
        { do: 'reconnect', on: 0 },
        { do: 'slow', on: 0, up: 0, down: 0, events: 12_000 },
        { do: 'pass', ms: 40_000 },
        { do: 'kill', on: 0, after: 1 },
      ],
    }
  test.each(Object.entries(histories))('%s', async (_name, history) => {
    await runOutboxHistory(history)
  })
})
