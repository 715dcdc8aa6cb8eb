import { expect, test } from 'vitest'
import { isWidgetWhole, widgetForm, widgetText } from '../../src-renderer/views/compose/widget-text.ts'
import { widgetFromContent } from '../../src-shared/markdown/widget.ts'

test('what is written becomes what the service reads', () => {
  const poll = { title: ' Which  boat? ', lines: ['The red one', '', '  - 5 to 7 tonnes', '* a star'] }
  expect(widgetFromContent(widgetText('poll', poll))).toEqual({
    widget_type: 'poll',
    extra_data: { question: 'Which boat?', options: ['The red one', '- 5 to 7 tonnes', '* a star'] },
  })
  const todo = { title: '', lines: ['Oars: the long ones', 'Fuel'] }
  expect(widgetFromContent(widgetText('todo', todo))).toEqual({
    widget_type: 'todo',
    extra_data: {
      task_list_title: '',
      tasks: [
        { task: 'Oars', desc: 'the long ones' },
        { task: 'Fuel', desc: '' },
      ],
    },
  })
})

test('a poll is read back as it was written, also for another one', () => {
  const form = { title: 'Which boat?', lines: ['The red one', '- 5 to 7 tonnes'] }
  expect(widgetForm(widgetText('poll', form))).toEqual(form)
  expect(widgetForm(widgetText('todo', { title: '', lines: ['Fuel'] }))).toEqual({
    title: '',
    lines: ['Fuel'],
  })
  expect(widgetForm('/poll ')).toEqual({ title: '', lines: [] })
})

test('other words are no poll, and no word of one is lost', () => {
  expect(widgetForm('Which boat?\n* red')).toBe(null)
  expect(widgetForm('/pollen is in the air')).toBe(null)
  expect(widgetForm('/poll Which boat?\n* red\n\n- blue')).toEqual({
    title: 'Which boat?',
    lines: ['red', 'blue'],
  })
  expect(widgetForm(' \n')).toEqual({ title: '', lines: [] })
})

test('a poll needs a question, a list a title or a task', () => {
  expect(isWidgetWhole('poll', { title: ' ', lines: ['a'] })).toBe(false)
  expect(isWidgetWhole('poll', { title: 'a', lines: [] })).toBe(true)
  expect(isWidgetWhole('todo', { title: '', lines: [' '] })).toBe(false)
  expect(isWidgetWhole('todo', { title: '', lines: ['a'] })).toBe(true)
})
