import type { Page } from 'playwright-core'
import { givenHere } from './screens-messages.ts'
import type { Stage } from './stage.ts'

// What shows that a screen was only made for English: text that is not translated, and room for short words only.

/** The names of people, channels, topics and the like, which are not translated; the longest first. */
export async function givenNames(stage: Stage): Promise<string[]> {
  const names = new Set<string>([stage.service.baseUrl.replace('http://', ''), ...givenHere])
  const named = new Set([
    'full_name',
    'name',
    'status_text',
    'email',
    'delivery_email',
    'realm_name',
    'realm_empty_topic_display_name',
    'hint',
    'text',
  ])
  const collect = (value: unknown, key = ''): void => {
    // The choices of a profile field.
    if (typeof value === 'string' && key === 'field_data' && value !== '') collect(JSON.parse(value))
    else if (typeof value === 'string' && named.has(key) && value !== '')
      names
        .add(value)
        .add(value.replace(/^✔ /, ''))
        .add(key === 'full_name' ? (value.split(' ')[0] ?? value) : value)
    else if (Array.isArray(value)) for (const one of value) collect(one)
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) collect(inner, name)
  }
  const kinds = [
    'realm',
    'realm_user',
    'subscription',
    'user_status',
    'realm_user_groups',
    'channel_folders',
    'saved_snippets',
    'custom_profile_fields',
  ]
  const state = await stage.ask('POST', '/register', { fetch_event_types: JSON.stringify(kinds) })
  collect(state)
  // The envelope of the service's own answer.
  const { subscriptions } = state as { subscriptions: { stream_id: number }[] }
  for (const { stream_id } of subscriptions) collect(await stage.ask('GET', `/users/me/${stream_id}/topics`))
  return [...names].sort((a, b) => b.length - a.length)
}

/** Elements with text that people wrote, or that is the same in every language. */
const asWritten = [
  '.msg .bd',
  '.msg.changed',
  '.result .tx',
  '.result .path',
  '.sn',
  '.hd .desc',
  '.rr .tp',
  '.typed',
  'textarea',
  'input',
  // Emoji names, search words, and statuses.
  '[role="gridcell"]',
  '[role="row"] button',
  '.reactors h3',
  '.search-offers',
  '.search-operators .add',
  '.pf dl',
  '.tx',
  '.snippet',
  '.dlg-excerpt',
  '.own-list .word',
  '.kept',
  '.rb .tp',
  '.m.trunc',
  '.meta.trunc',
  '.words .note',
  '.said',
  '.about',
  '.two .n',
].join(',')

/** English text left on the screen and in accessible names. */
export function plainEnglish(page: Page, names: readonly string[]): Promise<string[]> {
  return page.evaluate(
    ({ names, asWritten }) => {
      const isPlain = (text: string | null) => {
        if (text === null || !/[A-Za-z]{2}/.test(text)) return false
        let rest = ['Dunlin', ...names].reduce((left, name) => left.replaceAll(name, ''), text)
        // Values inserted into a text are enclosed in two invisible characters.
        for (let before = ''; before !== rest;) {
          before = rest
          rest = rest.replace(/\u2068[^\u2068\u2069]*\u2069/g, '')
        }
        return /[A-Za-z]{2}/.test(rest)
      }
      const where = (element: Element) => `${element.parentElement?.className ?? ''} > ${element.className}`
      const found: string[] = []
      for (const element of document.body.querySelectorAll('*')) {
        if (!element.checkVisibility({ visibilityProperty: true })) continue
        const isWritten = element.closest(asWritten) !== null
        // What a field holds is written by people, but not its name.
        const isField = element.matches('textarea, input')
        const isNamed = isField ? element.parentElement?.closest(asWritten) != null : isWritten
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext']) {
          if (!isNamed && isPlain(element.getAttribute(name)))
            found.push(`${name}="${element.getAttribute(name)}" ${where(element)}`)
        }
        for (const node of element.childNodes) {
          if (!isWritten && node.nodeType === Node.TEXT_NODE && isPlain(node.textContent))
            found.push(`${node.textContent?.trim()} ${where(element)}`)
        }
      }
      return found
    },
    { names, asWritten },
  )
}

/** Elements that are wider than their place. */
export function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth)
      found.push(`the page: ${root.scrollWidth} of ${root.clientWidth}`)
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      // Content that people wrote may be wide: it scrolls in its own place.
      if (!element.checkVisibility() || element.closest('.bd, .unseen, textarea, input, svg') !== null)
        continue
      const { overflowX, textOverflow, display } = getComputedStyle(element)
      const over = element.clientWidth === 0 ? 0 : element.scrollWidth - element.clientWidth
      if (over <= 1) continue
      const words = `${element.className} ${element.textContent.trim().slice(0, 40)}`
      if (overflowX === 'auto' || overflowX === 'scroll') found.push(`scrolls sideways by ${over}: ${words}`)
      else if (
        element.matches('button, .btn, .seg, .chip, h1, h2, h3, label') &&
        textOverflow !== 'ellipsis' &&
        display !== 'inline' &&
        element.querySelector('.trunc') === null
      )
        found.push(`too wide by ${over}: ${words}`)
    }
    return found
  })
}
