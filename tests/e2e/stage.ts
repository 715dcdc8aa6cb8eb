import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { openAccountsStore } from '../../src-main/engine/accounts-store.ts'
import { speak, type Language } from '../../src-shared/texts/texts.ts'
import {
  ask,
  type Fields,
  kill,
  launchChromium,
  openWindow,
  signIn,
  startApp,
  startServiceProcess,
} from './browser.ts'

// What a journey plays on: the app, a window of it, and mostly a service with the demo, each in its own process.

type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>
type Account = ServiceProcess['accounts'][number]

/** A window of the app that is signed in nowhere yet. */
export interface AppStage {
  readonly browser: Browser
  readonly page: Page
  /** Where the app starts in a window. */
  readonly url: string
  /** Where the app keeps what it has. */
  readonly appDirectory: string
  /** Ends it without a word, as a crash does. */
  stopApp(): Promise<void>
  /** Starts it with what it has, and opens it in the window. */
  startApp(): Promise<void>
  close(): Promise<void>
}

/** The same with a service to sign in to. */
export interface Stage extends AppStage {
  readonly service: ServiceProcess
  /** Who signs in, and somebody else of the organization. */
  readonly own: Account
  readonly other: Account
  /** Signs the person in, until the inbox is there. */
  signIn(): Promise<void>
  /** What the service answers to somebody, the person unless said otherwise; throws what it refuses with. */
  ask(method: string, path: string, fields?: Fields, account?: Account): Promise<unknown>
  /** Ends it without a word; what it has stays for the next one, on the same port. */
  stopService(): Promise<void>
  startService(): Promise<void>
}

export interface AppStageOptions {
  readonly window?: BrowserContextOptions
  /** Runs before the app does in the window. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>
  /** What the window speaks, and `t` with it, so that a journey finds what it presses. */
  readonly language?: Language
}

export interface StageOptions extends AppStageOptions {
  /** Puts into the folder of the service what is there beside the demo, before it starts. */
  readonly fill?: (serviceDirectory: string) => void
}

/** Opens the app and a window of it. */
export async function openAppStage(options: AppStageOptions = {}): Promise<AppStage> {
  const { language = 'en' } = options
  const directory = mkdtempSync(join(tmpdir(), 'dunlin-stage-'))
  const appDirectory = join(directory, 'app')
  await speak(language)
  if (language !== 'en') await chooseLanguage(appDirectory, language)
  let app = await startApp(appDirectory)
  const browser = await launchChromium()
  const page = await openWindow(browser, app.url, options.window, async (context) => {
    // Before anybody is signed in, a window speaks as it did the last time.
    await context.addInitScript((first) => (localStorage['dunlin-language'] ??= first), language)
    await options.prepare?.(context)
  })
  page.setDefaultTimeout(60_000)
  return {
    browser,
    page,
    appDirectory,
    get url() {
      return app.url
    },
    stopApp: () => kill(app.child),
    async startApp() {
      app = await startApp(appDirectory)
      await page.goto(app.url)
    },
    async close() {
      await browser.close()
      await kill(app.child)
      rmSync(directory, { recursive: true, force: true })
      await speak('en')
    },
  }
}

/** Opens the app, a window of it and a service with the demo. */
export async function openStage({ fill, ...options }: StageOptions = {}): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), 'dunlin-service-'))
  fill?.(directory)
  let service = await startServiceProcess(directory)
  const stage = await openAppStage(options)
  const person = (index: number): Account => {
    const account = service.accounts[index]
    if (account === undefined) throw new Error('nobody can sign in there')
    return account
  }
  return {
    ...stage,
    // A spread would keep what these are at the moment.
    get url() {
      return stage.url
    },
    get service() {
      return service
    },
    get own() {
      return person(0)
    },
    get other() {
      return person(1)
    },
    signIn: () => signIn(stage.page, service.baseUrl, person(0)),
    ask: (method, path, fields = {}, { email, api_key: apiKey } = person(0)) =>
      ask(service.baseUrl, { email, apiKey }, method, path, fields),
    stopService: () => kill(service.child),
    async startService() {
      service = await startServiceProcess(directory, service.port)
      // As the system tells the window: an app that waits for its next attempt makes it at once.
      await stage.page.evaluate(() => dispatchEvent(new Event('online')))
    },
    async close() {
      await stage.close()
      await kill(service.child)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** As the settings do, but also for the language that is not offered there. */
async function chooseLanguage(dataDirectory: string, language: Language): Promise<void> {
  mkdirSync(dataDirectory, { recursive: true })
  const store = await openAccountsStore(dataDirectory, () => {})
  store.setDeviceSettings({ language })
  store.close()
}
