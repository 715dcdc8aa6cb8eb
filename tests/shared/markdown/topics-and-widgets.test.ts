import { describe, expect, test } from 'vitest'
import { emojiCodeByName, emojiNameByCode } from '../../../src-shared/markdown/emoji.ts'
import { renderMarkdown, topicLinks, widgetFromContent } from '../../../src-shared/markdown/render.ts'
import { acme } from './acme.ts'

describe('topic links', () => {
  const { linkifiers } = acme()

  test('are linkifier matches and addresses in the order of the text', () => {
    expect(topicLinks('x.example/p and web#7, https://y.example/q #3', linkifiers)).toEqual([
      { text: 'x.example/p', url: 'https://x.example/p' },
      { text: 'web#7', url: 'https://code.example/web/pull/7' },
      { text: 'https://y.example/q', url: 'https://y.example/q' },
      { text: '#3', url: 'https://tracker.example/3' },
    ])
  })

  test('are nothing else', () => {
    expect(topicLinks('**b** [t](https://#) a@x.example :smile: a#', linkifiers)).toEqual([])
  })

  test('never have a forbidden scheme', () => {
    const bad = [{ id: 1, pattern: 'x(?P<a>.*)', urlTemplate: 'javascript:{+a}' }]
    expect(topicLinks('xalert', bad)).toEqual([])
  })
})

describe('linkifiers', () => {
  const linked = (text: string, pattern: string, urlTemplate: string): { text: string; url: string }[] =>
    topicLinks(text, [{ id: 1, pattern, urlTemplate }])

  test.each([
    ['https://x.example/{a}', 'https://x.example/%C3%A9%2F%3F'],
    ['https://x.example/{+a}', 'https://x.example/%C3%A9/?'],
    ['https://x.example{/a,b}', 'https://x.example/%C3%A9%2F%3F'],
    ['https://x.example{?a}{&a}{#a}', 'https://x.example?a=%C3%A9%2F%3F&a=%C3%A9%2F%3F#%C3%A9/?'],
    ['https://x.example/{a:1}', 'https://x.example/%C3%A9'],
    ['https://x.example/{nope}', 'https://x.example/'],
  ])('expand %s', (template, url) => {
    expect(linked('go é/?', 'go (?P<a>.*)', template)).toEqual([{ text: 'go é/?', url }])
  })

  test('that do not compile match nothing', () => {
    expect(linked('aaa', '(a', 'https://x.example/')).toEqual([])
    expect(linked('aaa', '(?=a)a', 'https://x.example/')).toEqual([])
    expect(linked('aaa', 'a'.repeat(2000), 'https://x.example/')).toEqual([])
  })

  test('that would ruin a backtracking engine finish', () => {
    expect(linked(`${'a'.repeat(3000)}!`, '(a+)+$', 'https://x.example/')).toEqual([])
    expect(linked(`${'a'.repeat(3000)}`, '(a|aa)+b', 'https://x.example/')).toEqual([])
    expect(linked('a '.repeat(3000), '(.*)*a', 'https://x.example/').length).toBeLessThanOrEqual(100)
  })

  test('match at most a hundred times in a text', () => {
    expect(linked('x '.repeat(500), 'x', 'https://x.example/')).toHaveLength(100)
  })
})

describe('widgets', () => {
  test('a poll', () => {
    expect(widgetFromContent('/poll Lunch?\n* Soup\n- Bread\n\n  Pie  ')).toEqual({
      widget_type: 'poll',
      extra_data: { question: 'Lunch?', options: ['Soup', 'Bread', 'Pie'] },
    })
  })

  test('a poll without anything', () => {
    expect(widgetFromContent('/poll')).toEqual({
      widget_type: 'poll',
      extra_data: { question: '', options: [] },
    })
  })

  test('a to-do list', () => {
    expect(widgetFromContent('/todo Trip\nPack: warm: clothes\nbook')).toEqual({
      widget_type: 'todo',
      extra_data: {
        task_list_title: 'Trip',
        tasks: [
          { task: 'Pack', desc: 'warm: clothes' },
          { task: 'book', desc: '' },
        ],
      },
    })
  })

  test.each(['/polls', ' /poll x', 'a /todo', '/Poll x', '/me x'])('%j is none', (source) => {
    expect(widgetFromContent(source)).toBeUndefined()
  })

  test('the content stays Markdown', () => {
    expect(renderMarkdown('/poll a\nb', acme()).html).toBe('<p>/poll a<br>\nb</p>')
  })
})

describe('emoji names', () => {
  test.each([
    ['smile', '1f604'],
    ['heart', '2764'],
    ['one', '0031-20e3'],
    ['+1', '1f44d'],
    ['slight_smile', '1f642'],
  ])('%s is %s', (name, code) => {
    expect(emojiCodeByName(name)).toBe(code)
  })

  test('lead back to their emoji', () => {
    for (const name of ['tada', 'octopus', 'rainbow-flag', 'wave']) {
      expect(emojiNameByCode(emojiCodeByName(name) ?? '')).toBe(name)
    }
    expect(emojiNameByCode('2764-fe0f')).toBe('heart')
    expect(emojiNameByCode('0061')).toBeUndefined()
    expect(emojiCodeByName('toString')).toBeUndefined()
  })
})
