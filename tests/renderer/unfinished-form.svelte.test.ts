import { flushSync } from 'svelte'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import type { EditText, UnsavedEdit } from '../../src-shared/model/unsaved-edit.ts'
import { UnsavedEdits } from '../../src-renderer/state/writing/edit-texts.ts'
import {
  unfinishedForm,
  type UnfinishedForm,
} from '../../src-renderer/state/writing/unfinished-form.svelte.ts'

// There is no page here: nothing is left, and no earlier version kept anything in the browser.
beforeAll(() => {
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => {})
  for (const name of ['window', 'localStorage']) vi.stubGlobal(name, {})
})
afterAll(() => void vi.unstubAllGlobals())

const start = { name: '', note: '' }

/** An engine that answers when told, and the form in a window. */
function open(kept: Record<string, EditText>, from = start) {
  let tell: (all: readonly UnsavedEdit[]) => void = () => {}
  const bridge = {
    watch: (_name: string, _params: object, onValue: typeof tell) => {
      tell = onValue
      return () => {}
    },
    call: async (_name: string, { edited, edit }: { edited: string; edit: EditText | null }) => {
      if (edit === null) delete kept[edited]
      else kept[edited] = edit
      return null
    },
  } as unknown as Bridge
  const edits = new UnsavedEdits(bridge, 'a')
  let form!: UnfinishedForm<typeof start>
  const close = $effect.root(() => {
    form = unfinishedForm(edits, 'report 5', from)
  })
  flushSync()
  const load = () => {
    tell(Object.entries(kept).map(([edited, edit]) => ({ edited: edited as 'report 5', ...edit })))
    flushSync()
  }
  const leave = async () => {
    flushSync()
    await edits.save()
    close()
  }
  return { form, load, leave }
}

test('what was entered in a form is there when it opens again, until it is sent', async () => {
  const kept: Record<string, EditText> = {}
  const first = open(kept)
  first.load()
  first.form.fields.name = 'Low'
  first.form.fields.name = 'Low water'
  await first.leave()
  const second = open(kept)
  second.load()
  expect(second.form.fields).toEqual({ name: 'Low water', note: '' })
  second.form.end()
  await second.leave()
  expect(kept).toEqual({})
})

test('only what the person changed is taken over, and nothing that they are typing is replaced', async () => {
  const kept: Record<string, EditText> = {}
  const before = open(kept, { name: 'Tea', note: 'at four' })
  before.load()
  before.form.fields.note = 'at five'
  await before.leave()
  // Another device gave it another name meanwhile.
  const after = open(kept, { name: 'Coffee', note: 'at four' })
  after.load()
  expect(after.form.fields).toEqual({ name: 'Coffee', note: 'at five' })
  await after.leave()
  const early = open(kept, { name: 'Coffee', note: 'at four' })
  early.form.fields.note = 'at six'
  early.load()
  expect(early.form.fields.note).toBe('at six')
  await early.leave()
})

test('a form in which nobody types leaves what is entered in the same form of another window', async () => {
  const kept: Record<string, EditText> = {}
  const [one, other] = [open(kept), open(kept)]
  for (const { load } of [one, other]) load()
  one.form.fields.note = 'Low water'
  await one.leave()
  other.load()
  await other.leave()
  expect(kept['report 5']?.text).toContain('Low water')
})

test('a text that is no form fills nothing in', async () => {
  const edit = (text: string) => ({ 'report 5': { text, previous: null } })
  for (const text of ['{', 'null', '"Low"', '{"name": 5, "other": "x"}']) {
    const { form, load, leave } = open(edit(text))
    load()
    expect(form.fields).toEqual(start)
    await leave()
  }
})
