import type { CDPSession, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { ask, drawn, goTo, signIn } from './browser.ts'
import { openAppStage, type AppStage } from './stage.ts'

// The window for a person with a screen reader: its structure, its announcements, and the place of the focus.

type Person = ReturnType<TestService['createUser']>

let stage: AppStage
let page: Page
let reader: CDPSession
let service: TestService
let ada: Person
let keiko: Person
let channel: number
/** Messages of the topic that is read out. */
const ids = { heading: 0, reacted: 0 }

const asKeiko = (path: string, fields: Record<string, string>) =>
  ask(service.baseUrl, keiko, 'POST', path, fields)

beforeAll(async () => {
  service = await startService()
  ada = service.createUser('Ada Byron', 200)
  keiko = service.createUser('Keiko Tamura')
  channel = service.createChannel('tide-gauges', [ada.userId, keiko.userId])
  const say = (topic: string, content: string) => service.send(keiko.userId, channel, topic, content)
  say('✔ rota', 'Everybody has a week now.')
  say('gauge 4', 'Gauge 4 reads six centimetres high.')
  ids.heading = say('gauge 4', '# Field day\n\nBring boots.')
  ids.reacted = say('gauge 4', '@**Ada Byron** could you look at the clamp?')
  await asKeiko(`/messages/${ids.reacted}/reactions`, { emoji_name: 'wave' })
  await asKeiko('/messages', { type: 'direct', to: `[${ada.userId}]`, content: 'Are you at the desk?' })
  await ask(service.baseUrl, ada, 'PATCH', '/realm', { moderation_request_channel_id: channel })
  stage = await openAppStage({ window: { reducedMotion: 'reduce' } })
  page = stage.page
  reader = await page.context().newCDPSession(page)
})

afterAll(async () => {
  await stage?.close()
  await service.stop()
})

/** What assistive technology learns about an element. */
interface Heard {
  readonly role: string
  readonly name: string
  readonly description: string
  readonly level: number | null
}

/** The element that an expression returns, as the browser describes it to assistive technology. */
async function heard(expression: string): Promise<Heard> {
  const { result } = await reader.send('Runtime.evaluate', { expression })
  const { nodes } = await reader.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId ?? '',
    fetchRelatives: false,
  })
  const level = nodes[0]?.properties?.find(({ name }) => name === 'level')?.value.value as number | undefined
  return {
    role: String(nodes[0]?.role?.value ?? ''),
    name: String(nodes[0]?.name?.value ?? ''),
    description: String(nodes[0]?.description?.value ?? ''),
    level: level ?? null,
  }
}
const focused = async () => {
  const { role, name } = await heard('document.activeElement')
  return `${role} ${name}`
}

/** All elements in the accessibility tree that should have a name and have none. */
async function unnamed(): Promise<string[]> {
  const { nodes } = await reader.send('Accessibility.getFullAXTree')
  const needName =
    /^(button|link|textbox|searchbox|combobox|checkbox|radio|switch|slider|menu|menuitem.*|option|tab|dialog|alertdialog|heading|article|listbox|grid|img|image|radiogroup|group|navigation|complementary|region|form|toolbar|splitter|separator)$/
  return nodes.flatMap(({ ignored, role, name, properties }) => {
    const isReached = properties?.some(({ name, value }) => name === 'focusable' && value.value === true)
    const kind = String(role?.value)
    const mayBeNameless = /^(group|region|form|img|image|separator)$/.test(kind) && isReached !== true
    return !ignored && needName.test(kind) && !mayBeNameless && String(name?.value ?? '').trim() === ''
      ? [kind]
      : []
  })
}
/** References to elements that are not in the page. */
const dangling = () =>
  page.evaluate(() =>
    ['controls', 'activedescendant', 'labelledby', 'describedby', 'owns'].flatMap((kind) =>
      [...document.querySelectorAll(`[aria-${kind}]`)].flatMap((element) =>
        (element.getAttribute(`aria-${kind}`) ?? '')
          .split(/\s+/)
          .filter((id) => id !== '' && document.getElementById(id) === null)
          .map((id) => `${kind} ${id} of ${element.outerHTML.slice(0, 90)}`),
      ),
    ),
  )
/** Waits until the tree has these lines, in this order. */
const reads = (where: Locator, ...lines: readonly RegExp[]) =>
  expect
    .poll(async () => {
      const tree = (await where.ariaSnapshot()).split('\n')
      let from = 0
      const missing = lines.filter((line) => {
        const at = tree.findIndex((text, index) => index >= from && line.test(text))
        if (at >= 0) from = at + 1
        return at < 0
      })
      return missing.length === 0 ? [] : [...missing.map(String), ...tree]
    })
    .toEqual([])

/** The announcements of the live regions since listening began. */
const said = () => page.evaluate(() => (window as unknown as { said: string[] }).said)
/** Listens from now on, as screen readers do: to regions that existed before, and to alerts also when they appear. */
const listen = () =>
  page.evaluate(() => {
    const heard = window as unknown as { said?: string[] }
    const isListening = heard.said !== undefined
    heard.said = []
    if (isListening) return
    const regions = '[role="status"], [role="alert"], [aria-live="polite"], [aria-live="assertive"]'
    const elementOf = (node: Node) => (node instanceof Element ? node : node.parentElement)
    new MutationObserver((changes) => {
      const changed = new Set<Element>()
      const appeared = new Set(changes.flatMap(({ addedNodes }) => [...addedNodes]))
      for (const { target, addedNodes } of changes) {
        const region = elementOf(target)?.closest(regions)
        if (region != null && ![...appeared].some((node) => node.contains(region))) changed.add(region)
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue
          for (const alert of [node, ...node.querySelectorAll('*')])
            if (alert.getAttribute('role') === 'alert') changed.add(alert)
        }
      }
      for (const region of changed) {
        const words = (region.textContent ?? '').replace(/\s+/g, ' ').trim()
        if (words !== '') heard.said?.push(words)
      }
    }).observe(document, { childList: true, characterData: true, subtree: true })
  })
const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const main = () => page.getByRole('main')
const row = (id: number) => page.locator(`.msg[data-message-id="${id}"]`)
const field = () => page.getByLabel('Message', { exact: true })
const topic = () => `channel/${channel}/topic/gauge%204`
async function openTopic(): Promise<void> {
  await goTo(page, topic())
  await row(ids.reacted).waitFor()
}

test('signing in begins in the field, and a refusal is said and leaves the focus', async () => {
  await expect.poll(focused).toBe('textbox Organization address')
  await reads(main(), /heading "Add an organization" \[level=1\]/, /textbox "Organization address"/)
  await listen()
  await page.keyboard.type('127.0.0.1:9')
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await expect.poll(said).toContainEqual(expect.stringContaining('No server answers'))
  await expect.poll(focused).toBe('button Continue')
  await signIn(page, service.baseUrl, ada)
})

test('the frame says where things are, what is open, and how much of it is unread', async () => {
  await reads(
    page.locator('body'),
    /^ *- banner:/,
    /button "Synced"/,
    /navigation "Views and channels":/,
    /link "Inbox 5 unread"/,
    /link "Mentions 1 unread"/,
    /heading "Direct messages" \[level=2\]/,
    /link "Keiko Tamura.* 1 unread"/,
    /tree "Channels":/,
    /treeitem ".*" \[expanded\] \[level=1\]/,
    /treeitem "tide-gauges 4 unread" \[level=2\]/,
    /^ *- main:/,
    /heading "Inbox" \[level=1\]/,
  )
  await expect
    .poll(() => page.locator('nav [aria-current="page"]').allInnerTexts())
    .toEqual([expect.stringContaining('Inbox')])
  await expect.poll(() => page.title()).toMatch(/^Inbox, ./)
  await expect.poll(unnamed).toEqual([])
})

test('a row of a list says what it is of, who wrote, when, and what is unread', async () => {
  await reads(
    main(),
    /heading "Direct messages 1 unread" \[level=2\]/,
    /list "Direct messages":/,
    /link "Keiko Tamura Are you at the desk\? .*1 unread"/,
    /heading "tide-gauges 4 unread" \[level=3\]/,
    /link "gauge 4 Keiko: .*clamp\? followed .* mentions you 3 unread"/,
  )
  await goTo(page, 'recent')
  await reads(
    main(),
    /heading "Recent conversations" \[level=1\]/,
    /status: 3 conversations/,
    /link "followed tide-gauges gauge 4 .*Keiko Tamura 3 messages .*mentions you 3 unread"/,
  )
  await expect.poll(unnamed).toEqual([])
  await goTo(page, `channel/${channel}/topics`)
  await reads(
    main(),
    /heading "tide-gauges" \[level=1\]/,
    /group "Which topics":/,
    /link "followed gauge 4 Keiko Tamura 3 messages .*mentions you 3 unread"/,
    /link "resolved rota Keiko Tamura 1 message .*1 unread"/,
  )
  await expect.poll(unnamed).toEqual([])
})

test('a message says who wrote it, when and what, and its parts are named', async () => {
  await listen()
  await openTopic()
  // The change of place is announced, because the focus stays where it was.
  await expect.poll(said).toContainEqual('gauge 4, tide-gauges')
  await expect.poll(() => page.title()).toMatch(/^gauge 4, tide-gauges, ./)
  await reads(
    main(),
    /heading "tide-gauges" \[level=1\]/,
    /log "Messages":/,
    // The buttons beside it are not part of the heading.
    /heading "tide-gauges gauge 4" \[level=2\]/,
    /button "Mark as resolved"/,
    /separator ".+"/,
    /separator "3 unread"/,
    /article "Keiko Tamura, \d+:\d\d [ap]m(, unread)?"/,
    /article "Keiko Tamura, \d+:\d\d [ap]m, mentions you(, unread)?"/,
    /button "wave, Keiko Tamura"/,
    /region "Compose to tide-gauges, gauge 4"/,
    /textbox "Message"/,
    /toolbar "Formatting"/,
    /button "Send" \[disabled\]/,
  )
  // Messages state their position, and their container is not announced on each change.
  const articles = page.getByRole('log', { name: 'Messages' }).getByRole('article')
  expect(await articles.evaluateAll((all) => all.map((one) => one.getAttribute('aria-posinset')))).toEqual([
    '1',
    '2',
    '3',
  ])
  expect(await page.getByRole('log').getAttribute('aria-live')).toBe('off')
  // Moving from one message to the next reads the text and who reacted.
  const message = `document.querySelector('.msg[data-message-id="${ids.reacted}"]')`
  await expect
    .poll(() => heard(message))
    .toMatchObject({
      role: 'article',
      description: expect.stringMatching(/could you look at the clamp\? ?wave, Keiko Tamura/),
    })
  await expect
    .poll(() => heard(`document.querySelector('.msg h1')`))
    .toMatchObject({ name: 'Field day', level: 3 })
  await reads(
    page.getByRole('complementary', { name: 'People' }),
    /textbox "Filter people"/,
    /heading "In this topic \d" \[level=2\]/,
    /button "Keiko Tamura/,
  )
  await expect.poll(unnamed).toEqual([])
  await expect.poll(dangling).toEqual([])
})

test('from a message the Tab key leads to its actions, and back', async () => {
  await openTopic()
  await row(ids.heading).focus()
  await press('Tab')
  await expect.poll(focused).toMatch(/^button React with/)
  await press('Shift+Tab')
  await expect.poll(focused).toMatch(/^article Keiko Tamura/)
})

test('a message that comes is said once, and moves nothing', async () => {
  await openTopic()
  await row(ids.reacted).focus()
  await listen()
  service.send(keiko.userId, channel, 'gauge 4', 'Low water at **six**.')
  await page.getByText('Low water at six.', { exact: true }).waitFor()
  await expect.poll(said).toEqual(['Keiko Tamura: Low water at six.'])
  await expect.poll(focused).toMatch(/^article Keiko Tamura.*mentions you/)
  // The same words are announced again.
  service.send(keiko.userId, channel, 'gauge 4', 'Low water at **six**.')
  await expect.poll(said).toHaveLength(2)
})

test('what one writes oneself is said to be sent, or why it is not', async () => {
  await openTopic()
  await listen()
  await field().fill('On my way.')
  await field().press('Control+Enter')
  await page.locator('.msg[data-message-id]', { hasText: 'On my way.' }).waitFor()
  await expect.poll(said).toEqual(['Sent'])
  await expect.poll(focused).toBe('textbox Message')

  service.database.run('UPDATE channels SET is_archived = 1')
  await listen()
  await field().fill('Nobody may write here.')
  // Afterwards the button is disabled; the focus returns to the text field.
  await page.getByRole('button', { name: 'Send', exact: true }).press('Enter')
  await expect.poll(focused).toBe('textbox Message')
  const refused = page.getByRole('article', { name: 'Waiting message' })
  await reads(refused, /alert:/, /button "Review…"/, /button "Retry"/)
  await expect.poll(said).toContainEqual(expect.stringMatching(/Retry/))
  await expect
    .poll(() => heard(`document.querySelector('.msg.q')`))
    .toMatchObject({
      description: expect.stringContaining('Nobody may write here.'),
    })
  // The keys reach it like every message, and its actions are beside it.
  const keys = page.keyboard
  await keys.press('Escape')
  await keys.press('End')
  await expect.poll(focused).toBe('article Waiting message')
  await keys.press('k')
  await expect.poll(focused).toMatch(/^article Ada Byron/)
  await keys.press('j')
  await expect.poll(focused).toBe('article Waiting message')
  await keys.press('e')
  await expect.poll(focused).toBe('textbox Message')
  await expect.poll(() => field().inputValue()).toBe('Nobody may write here.')
  await field().press('Control+Enter')
  await refused.getByRole('button', { name: 'Retry' }).waitFor()
  service.database.run('UPDATE channels SET is_archived = 0')
  await keys.press('Escape')
  await keys.press('End')
  await expect.poll(focused).toBe('article Waiting message')
  for (const name of ['Review…', 'Retry']) {
    await keys.press('Tab')
    await expect.poll(focused).toBe(`button ${name}`)
  }
  await keys.press('Shift+Tab')
  await keys.press('Enter')
  const review = page.getByRole('dialog', { name: 'Your message wasn’t sent' })
  await review.getByText('Nobody may write here.').waitFor()
  await keys.press('Escape')
  await review.waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('button Review…')
  await keys.press('Enter')
  await review.getByRole('button', { name: 'Delete message' }).press('Enter')
  await refused.waitFor({ state: 'detached' })
  await expect.poll(focused).toMatch(/^article Ada Byron/)
})

test('a server that goes away and comes back is said, and nothing in between', async () => {
  await listen()
  await service.stop()
  await page.locator('.sync.off').waitFor()
  await expect.poll(said).toContainEqual(expect.stringMatching(/reach|[Oo]ffline/))
  await field().fill('From the tunnel.')
  await field().press('Control+Enter')
  await expect.poll(said).toContainEqual('Queued')
  await service.start()
  await page.getByTestId('sync-pill').click()
  await page.getByRole('button', { name: 'Try now' }).click()
  await press('Escape')
  await page.locator('.sync.ok').waitFor()
  await expect.poll(said).toContainEqual('Synced')
  expect((await said()).filter((words) => /Syncing|Connecting/.test(words))).toEqual([])
})

test('what a search finds is counted aloud', async () => {
  await listen()
  await goTo(page, 'search?text=clamp')
  await reads(
    main(),
    /search:/,
    /heading "Search" \[level=1\]/,
    /combobox "Search messages"/,
    /listbox "On this device":/,
    /option "tide-gauges gauge 4 Keiko Tamura .*clamp.*"/,
  )
  await expect.poll(said).toContainEqual(expect.stringMatching(/^1 result/))
  await expect.poll(focused).toBe('combobox Search messages')
  await expect.poll(unnamed).toEqual([])
  await expect.poll(dangling).toEqual([])
})

const over = '[role="dialog"], [role="menu"], [role="region"][aria-label="Sync"]'
const starts = {
  message: { element: () => row(ids.reacted), name: /^article Keiko Tamura/ },
  field: { element: field, name: /^textbox Message/ },
  'ways to send': {
    element: () => page.getByRole('button', { name: 'More ways to send' }),
    name: /^button More ways to send/,
  },
}

/** What opens over the window: the keys, where the focus is then, and the accessibility tree. */
const openings: readonly {
  /** Where the focus is before: on a message unless stated otherwise. */
  readonly from?: keyof typeof starts
  readonly keys: readonly string[]
  readonly focus: RegExp
  readonly tree: readonly RegExp[]
}[] = [
  {
    keys: ['Control+k'],
    focus: /^combobox Jump to a conversation/,
    tree: [/dialog "Go to"/, /listbox "Results"/, /option .*\[selected\]/],
  },
  { keys: ['?'], focus: /^textbox Find a shortcut/, tree: [/dialog "Shortcuts"/, /heading "Shortcuts"/] },
  { keys: ['Shift+Y'], focus: /^textbox What you are doing/, tree: [/dialog "Your status"/] },
  { keys: ['g'], focus: /^menuitem |^menu /, tree: [/menu ".+":/, /menuitem "Add an organization"/] },
  { keys: ['i'], focus: /^menuitem Quote and reply/, tree: [/menu "Message actions":/] },
  { keys: ['u'], focus: /^button Message/, tree: [/dialog "Keiko Tamura"/, /heading "Keiko Tamura/] },
  { keys: [':'], focus: /^combobox Search emoji/, tree: [/dialog "Choose a reaction"/, /grid "Emoji"/] },
  { keys: ['m'], focus: /^combobox Channel/, tree: [/dialog "Move/] },
  {
    keys: ['Shift+H'],
    focus: /^button Close/,
    tree: [/dialog "Versions of this message"/, /Written by Keiko Tamura/],
  },
  {
    keys: ['Shift+V'],
    focus: /^button Close/,
    tree: [/dialog "(Who has read this|Read by \d+ \w+)"/, /button "Close"/],
  },
  {
    keys: ['i', 'r', 'e', 'p', 'o', 'Enter'],
    focus: /^(combobox|radio) /,
    tree: [/dialog "Report this message"/, /heading "Report this message"/, /Reason/],
  },
  { keys: ['Control+Shift+S'], focus: /^link Open outbox/, tree: [/region "Sync"/, /heading "Synced"/] },
  {
    from: 'field',
    keys: ["Control+'"],
    focus: /^textbox Find a snippet/,
    tree: [/dialog "Snippets"/, /textbox "Find a snippet"/],
  },
  { from: 'ways to send', keys: ['Enter'], focus: /^menuitem/, tree: [/menu "More ways to send"/] },
]

test.each(openings)(
  '$keys opens with the focus inside, and closing gives it back',
  async ({ from = 'message', keys, focus, tree }) => {
    if (!page.url().includes('topic/gauge')) await openTopic()
    const { element, name } = starts[from]
    await element().focus()
    await expect.poll(focused).toMatch(name)
    const before = await focused()
    for (const key of keys) {
      await press(key)
      // By now, the key has had its effect on the focus.
      await drawn(page)
    }
    await reads(page.locator('body'), ...tree)
    await expect.poll(focused).toMatch(focus)
    await expect
      .poll(() => page.evaluate((over) => document.activeElement?.closest(over) != null, over))
      .toBe(true)
    await expect.poll(unnamed).toEqual([])
    await expect.poll(dangling).toEqual([])
    await press('Escape')
    await expect.poll(() => page.locator(over).count()).toBe(0)
    await expect.poll(focused).toBe(before)
  },
)

test('suggestions belong to the field where they are chosen', async () => {
  await openTopic()
  await field().fill('')
  await field().pressSequentially('@Kei')
  await reads(page.locator('.cmp'), /listbox "Suggestions"/, /option "Keiko Tamura" \[selected\]/)
  await expect.poll(focused).toBe('textbox Message')
  const chosen = () =>
    field().evaluate((element) => {
      const id = element.getAttribute('aria-activedescendant') ?? ''
      const list = document.getElementById(element.getAttribute('aria-controls') ?? '')
      return [list?.getAttribute('role'), document.getElementById(id)?.textContent?.trim()]
    })
  await expect.poll(chosen).toEqual(['listbox', expect.stringContaining('Keiko Tamura')])
  await press('Escape')
  await expect.poll(() => field().getAttribute('aria-activedescendant')).toBeNull()
  await field().fill('')
})
