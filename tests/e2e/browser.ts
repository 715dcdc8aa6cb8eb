import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import sparticuz from '@sparticuz/chromium'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core'
import { t } from '../../src-shared/texts/texts.ts'

const root = resolve(import.meta.dirname, '../..')

/** The path of a Chromium: the configured one, the system's, or the one from the registry. */
export async function chromiumPath(): Promise<string> {
  const named = process.env['DUNLIN_CHROMIUM']
  const installed = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path))
  return named ?? installed ?? (await sparticuz.executablePath())
}

const imitatesCard = (arg: string) => /gpu|gl=|angle|swiftshader/.test(arg)

/**
 * Without software emulation of a graphics card, which takes seconds for a page of emoji; drawing directly does not.
 */
export const chromiumArgs = [...sparticuz.args.filter((arg) => !imitatesCard(arg)), '--disable-gpu']

/** The windows of journeys live for seconds: what makes scripts fast in the long run takes longer than it saves there. */
const forShortLives = '--js-flags=--no-opt --no-maglev'

/** A real Chromium. */
export async function launchChromium(): Promise<Browser> {
  const args = [...chromiumArgs, forShortLives]
  return chromium.launch({ executablePath: await chromiumPath(), args, headless: true })
}

/** The windows that are open now. Each notes in `__lately` what was pressed and which element had the focus. */
export const openWindows = new Set<Page>()

/** A window of the app, 1440 by 900 unless said otherwise; `prepare` runs before the app does. */
export async function openWindow(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  prepare?: (context: BrowserContext) => Promise<unknown>,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  await context.addInitScript(noteLately)
  await prepare?.(context)
  const page = await context.newPage()
  openWindows.add(page)
  page.once('close', () => openWindows.delete(page))
  await page.goto(url)
  return page
}

/** Runs in the window. */
function noteLately(): void {
  const lately: string[] = []
  Reflect.set(globalThis, '__lately', lately)
  const note = (event: Event) => {
    const { target } = event
    const key = event instanceof KeyboardEvent ? ` ${event.key}` : ''
    const on = target instanceof Element ? (target.cloneNode(false) as Element).outerHTML : String(target)
    lately.push(`${Math.round(event.timeStamp)} ms ${event.type}${key}: ${on.slice(0, 160)}`)
    if (lately.length > 40) lately.shift()
  }
  for (const type of ['focusin', 'focusout', 'keydown', 'pointerdown', 'hashchange'])
    addEventListener(type, note, true)
}

/** Enters the organization and the person, but does not press the last button. */
export async function enterAccount(
  page: Page,
  baseUrl: string,
  person: { readonly email: string; readonly password: string } | undefined,
): Promise<void> {
  await page.getByLabel(t.signIn.address).fill(new URL(baseUrl).host)
  await page.getByRole('button', { name: t.signIn.continue }).click()
  await page.getByLabel(t.signIn.email).fill(person?.email ?? '')
  await page.getByRole('textbox', { name: t.signIn.ways.password }).fill(person?.password ?? '')
}

/** Signs in, and waits for the inbox. The window has the language of `t`. */
export async function signIn(...[page, ...rest]: Parameters<typeof enterAccount>): Promise<void> {
  await enterAccount(page, ...rest)
  await page.getByRole('button', { name: t.signIn.signIn }).click()
  await page.getByRole('heading', { name: t.inbox.name }).waitFor({ timeout: 120_000 })
}

/** Opens a place of the account in view, given as in the address after the account: `channel/1/topic/rota`. */
export async function goTo(page: Page, place: string): Promise<void> {
  // While the window leaves the list of all organizations, there is no link to a place yet.
  const link = page.locator('nav.sb a[href^="#/"]:not([href^="#/all"])').first()
  const account = (await link.getAttribute('href'))?.split('/')[1]
  await page.evaluate((hash) => (location.hash = hash), `/${account}/${place}`)
}

/** The parameters of an API call. */
export type Fields = Readonly<Record<string, string | number>> | FormData

/** Calls the service's API as an account; throws the service's refusal. */
export async function ask(
  baseUrl: string,
  { email, apiKey }: { readonly email: string; readonly apiKey: string },
  method: string,
  path: string,
  fields: Fields = {},
): Promise<unknown> {
  const headers = { authorization: `Basic ${btoa(`${email}:${apiKey}`)}` }
  const body =
    fields instanceof FormData
      ? fields
      : new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))
  const answer =
    method === 'GET'
      ? await fetch(`${baseUrl}${path}?${String(body)}`, { headers })
      : await fetch(`${baseUrl}${path}`, { method, headers, body })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return answer.json()
}

/** Waits until the window has drawn the latest data. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))

/** Sets the width of the system's own buttons, which Electron draws over the page's upper corners. */
export const setInsets = (page: Page, left: number, right: number): Promise<void> =>
  page.evaluate(
    ([first, last]) => {
      document.documentElement.style.setProperty('--titlebar-inset-left', `${first}px`)
      document.documentElement.style.setProperty('--titlebar-inset-right', `${last}px`)
    },
    [left, right] as const,
  )

/** A process of ours, and the first line of its output that we wait for. */
export interface Started {
  readonly child: ChildProcess
  readonly line: string
}

function start(script: string, args: readonly string[], isReady: RegExp): Promise<Started> {
  const child = spawn(process.execPath, [resolve(root, script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Promise((done, fail) => {
    let errors = ''
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()))
    child.once('exit', (code) => fail(new Error(`${script} ended with ${code}: ${errors}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (isReady.test(line)) done({ child, line })
    })
  })
}

/**
 * Starts the built service in its own process; returns its address and its accounts. Loading its hundreds of sources
 * would take a fifth of such a start.
 */
export async function startServiceProcess(dataDir: string, port = 0) {
  const { child, line } = await start(
    'out/main/service.js',
    ['--port', String(port), '--data-dir', dataDir, '--demo=quiet'],
    /base_url/,
  )
  // The service promises this form.
  const { base_url, accounts } = JSON.parse(line) as {
    base_url: string
    accounts: { email: string; api_key: string; password: string; user_id: number; full_name: string }[]
  }
  return { child, baseUrl: base_url, port: Number(new URL(base_url).port), accounts }
}

/** Starts the app on the web host in its own process; returns its start address. */
export async function startApp(dataDir: string) {
  const { child, line } = await start(
    'src-main/hosts/start.ts',
    ['--data-dir', dataDir, '--no-open'],
    /ready/,
  )
  return { child, url: line.replace(/^.*: /, '') }
}

/** Kills a process without a shutdown, as a crash or a power failure does. */
export function kill(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done()
    child.once('exit', () => done())
    child.kill('SIGKILL')
  })
}

/** Types a moment ("2026-05-12T09:00") into the date and time field with this label. */
export async function typeMoment(scope: Locator, label: string, moment: string): Promise<void> {
  const [day = '', clock = ''] = moment.split('T')
  const [year = '', month = '', date = ''] = day.split('-')
  for (const [part, digits] of Object.entries({ year, month, day: date })) {
    const field = scope.getByRole('spinbutton', { name: `${label}, ${part}` })
    await field.click()
    await field.pressSequentially(digits)
  }
  await scope.getByRole('textbox', { name: `${label}, time` }).fill(clock)
}
