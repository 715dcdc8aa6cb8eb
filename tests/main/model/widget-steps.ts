import fc from 'fast-check'
import { expect } from 'vitest'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { messageId, userId } from '../../../src-shared/ids.ts'
import { freeIndex, widgetOf, type Widget } from '../../../src-shared/model/widget.ts'
import { widgetsOf } from '../../../src-main/queries/widgets.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { submessagesOf } from '../../../src-main/store/submessages.ts'
import type { ModelDevice } from './device.ts'
import { on, type StepKinds } from './mishaps.ts'
import type { World } from './world.ts'

/** What a person does in a poll and in a to-do list. Numbers wrap around what exists. */
export type WidgetStep =
  | { do: 'vote'; on: number; option: number; put: boolean }
  | { do: 'tick'; on: number; task: number; put: boolean }
  /** A new option of the poll, or a new task. */
  | { do: 'add'; on: number; to: 'poll' | 'todo' }

export const widgetSteps: StepKinds<WidgetStep> = {
  vote: [2, fc.record({ do: fc.constant('vote'), on, option: fc.nat(3), put: fc.boolean() })],
  tick: [2, fc.record({ do: fc.constant('tick'), on, task: fc.nat(3), put: fc.boolean() })],
  add: [1, fc.record({ do: fc.constant('add'), on, to: fc.constantFrom('poll', 'todo') })],
}
export const isWidgetStep = (step: { do: string }): step is WidgetStep => step.do in widgetSteps

/** What the person did. */
export interface WidgetMemory {
  /** The words of options and tasks that they added. */
  readonly added: string[]
  /** The last vote for each option, and the last tick of each task, by its words, with the devices that decided. */
  readonly wishes: Map<string, { readonly wish: boolean; readonly devices: ReadonlySet<ModelDevice> }>
}
export const newWidgetMemory = (): WidgetMemory => ({ added: [], wishes: new Map() })

/** The other person sends a poll and a to-do list. */
export async function hearWidgets({ ask, channelId, other }: World): Promise<void> {
  for (const content of ['/poll Boat\nskiff\nketch', '/todo Aboard\nrope\nlamp'])
    await ask(
      'POST',
      '/messages',
      `type=stream&to=${channelId}&topic=drift&content=${encodeURIComponent(content)}`,
      other,
    )
}

interface ShownWidget {
  readonly id: number
  readonly widget: Widget
}

/** The widgets as a window shows them, with what waits. */
function shownWidgets({ account, store: { db } }: ModelDevice): ShownWidget[] {
  const messages = db.all<{ message_id: number; sender_id: number }>(
    'SELECT message_id, sender_id FROM messages WHERE message_id IN (SELECT message_id FROM submessages) ORDER BY 1',
  )
  return [...widgetsOf(account.queryContext(), messages, outboxRows(db))].map(([id, { widget }]) => ({
    id,
    widget,
  }))
}

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)]

/** Takes a step, if the device has its widget. */
export function takeWidgetStep(device: ModelDevice, memory: WidgetMemory, step: WidgetStep): void {
  const kind = step.do === 'add' ? step.to : step.do === 'vote' ? 'poll' : 'todo'
  const shown = shownWidgets(device).find(({ widget }) => widget.kind === kind)
  if (shown === undefined) return
  const { id, widget } = shown
  const wish = (words: string, value: boolean) => {
    const { devices = [] } = memory.wishes.get(words) ?? {}
    memory.wishes.set(words, { wish: value, devices: new Set([...devices, device]) })
  }
  const act = (one: ActionOf<'widget-step'>['step']) =>
    device.account.outbox.enqueue({ name: 'widget-step', messageId: messageId(id), step: one })
  if (step.do === 'vote' && widget.kind === 'poll') {
    const option = at(widget.options, step.option)
    if (option === undefined) return
    act({ type: 'vote', key: option.key, vote: step.put ? 1 : -1 })
    wish(option.text, step.put)
  } else if (step.do === 'tick' && widget.kind === 'todo') {
    const task = at(widget.tasks, step.task)
    if (task === undefined) return
    act({ type: 'strike', key: task.key, on: step.put })
    wish(task.task, step.put)
  } else if (step.do === 'add') {
    const words = `added ${memory.added.length}`
    const index = freeIndex(widget, device.account.known.userId)
    act(
      widget.kind === 'poll'
        ? { type: 'new_option', idx: index, option: words }
        : { type: 'new_task', key: index, task: words, desc: '', completed: false },
    )
    memory.added.push(words)
  }
}

/** Checks that the devices have the steps of the service, and that what the person did is among them. */
export function checkWidgets(
  { workspace, devices, user }: World,
  memory: WidgetMemory,
  wasShut: boolean,
): void {
  const steps = workspace.db.all<{ id: number; messageId: number; senderId: number; content: string }>(
    `SELECT submessage_id AS id, message_id AS messageId, sender_id AS senderId, content
     FROM submessages ORDER BY submessage_id`,
  )
  const ids = [...new Set(steps.map((step) => step.messageId))]
  for (const [index, { store }] of devices.entries())
    expect(submessagesOf(store.db, ids), `device ${index}: the steps of the service`).toEqual(steps)

  const wishes = new Map<string, boolean>()
  for (const id of ids) {
    const ofMessage = steps.filter((step) => step.messageId === id)
    const author = userId(ofMessage[0]?.senderId ?? 0)
    const widget = widgetOf(
      ofMessage.map(({ senderId, content }) => ({ senderId: userId(senderId), content, isWaiting: false })),
      author,
    )
    if (widget?.kind === 'poll')
      for (const { text, voterIds } of widget.options)
        wishes.set(text, voterIds.includes(userId(user.user_id)))
    if (widget?.kind === 'todo') for (const { task, isDone } of widget.tasks) wishes.set(task, isDone)
  }
  if (wasShut) return
  for (const words of memory.added) expect([...wishes.keys()], `${words} is there`).toContain(words)
  for (const [words, { wish, devices: deciding }] of memory.wishes)
    if (deciding.size === 1) expect(wishes.get(words), words).toBe(wish)
}
