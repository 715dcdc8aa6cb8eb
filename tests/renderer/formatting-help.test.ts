import { expect, test } from 'vitest'
import { formattingExamples } from '../../src-renderer/views/formatting-help/examples.ts'
import { plainHtml, renderMarkdown } from '../../src-shared/markdown/render.ts'
import { acme } from '../shared/markdown/acme.ts'

const names = { person: 'Full Name', group: 'group', channel: 'channel', topic: 'logo' }
const examples = formattingExamples(names).flatMap((group) => group.examples)

test('every example of formatting is rendered as something else than what is typed', () => {
  for (const { name, source, note } of examples) {
    const { html } = renderMarkdown(source, acme())
    if (note === null) expect(html, name).not.toBe(plainHtml(source))
  }
})

test('what the organization does not have is not shown as an example', () => {
  const few = formattingExamples({ ...names, group: null, channel: null }).flatMap((group) => group.examples)
  const left = examples.filter(({ name }) => few.every((one) => one.name !== name))
  expect(left.map(({ name }) => name)).toEqual(['group', 'channel', 'topic', 'message'])
})
