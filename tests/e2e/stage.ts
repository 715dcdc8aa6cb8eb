import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { openAccountsStore } from '../../src-main/store/accounts-store.ts'
import { speak, type Language } from '../../src-shared/texts/texts.ts'
import { stoppedServices } from '../support/stopped-services.ts'
import { copyDemo } from './demo-copy.ts'
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
import { makeFolder, removeFolder } from '../support/temporary-folder.ts'

// The environment of a journey: the app, a window of it, and mostly a service with the demo, each in its own process.

type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>
type Account = ServiceProcess['accounts'][number]

/** The app in a window, without an account. */
export interface AppStage {
  readonly browser: Browser
  readonly page: Page
  /** The address of the app's window, without a place. */
  readonly url: string
  /** The app's data directory. */
  readonly appDirectory: string
  /** Kills the app, as a crash does. */
  stopApp(): Promise<void>
  /** Starts the app with its data, and opens it in the window. */
  startApp(): Promise<void>
  /**
   * Has the app notice at once that its server is gone, as a system that changes its network does. By itself it first
   * waits some seconds, so that a short interruption is not shown.
   */
  noticeGone(): Promise<void>
  /** Has the app notice at once that its server is back, instead of at its next attempt. */
  noticeBack(): Promise<void>
  close(): Promise<void>
}

/** The same with a service. */
export interface Stage extends AppStage {
  readonly service: ServiceProcess
  /** The person who signs in, and another person of the organization. */
  readonly own: Account
  readonly other: Account
  /** Signs the person in, and waits for the inbox. */
  signIn(): Promise<void>
  /** Calls the service's API, as the person unless stated otherwise; throws the service's refusal. */
  ask(method: string, path: string, fields?: Fields, account?: Account): Promise<unknown>
  /** Kills the service, and has the app notice; the next start uses the same data and port. */
  stopService(): Promise<void>
  /** The same, but the app notices by itself. */
  killService(): Promise<void>
  startService(): Promise<void>
}

export interface AppStageOptions {
  readonly window?: BrowserContextOptions
  /** Runs in the window before the app starts. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>
  /** The language of the window and of `t`, so that a journey finds the elements to press. */
  readonly language?: Language
}

export interface StageOptions extends AppStageOptions {
  /** Fills the service's directory beyond the demo before the service starts. */
  readonly fill?: (serviceDirectory: string) => void
}

/** Starts the app and opens a window of it. */
export async function openAppStage(options: AppStageOptions = {}): Promise<AppStage> {
  const { language = 'en' } = options
  const directory = makeFolder()
  const appDirectory = join(directory, 'app')
  await speak(language)
  if (language !== 'en') await chooseLanguage(appDirectory, language)
  let app = await startApp(appDirectory)
  const browser = await launchChromium()
  const page = await openWindow(browser, app.url, options.window, async (context) => {
    // Before anybody is signed in, a window has the language of the last time.
    await context.addInitScript((first) => (localStorage['dunlin-language'] ??= first), language)
    await options.prepare?.(context)
  })
  page.setDefaultTimeout(60_000)
  return {
    browser,
    page,
    appDirectory,
    get url() {
      return new URL('.', page.url()).href
    },
    stopApp: () => kill(app.child),
    async startApp() {
      app = await startApp(appDirectory)
      await page.goto(app.url)
    },
    noticeGone: () => page.evaluate(noticedGone),
    noticeBack: () => page.evaluate(() => void dispatchEvent(new Event('online'))),
    async close() {
      await browser.close()
      await kill(app.child)
      removeFolder(directory)
      await speak('en')
    },
  }
}

/** Starts the app and a service with the demo, and opens a window. */
export async function openStage({ fill, ...options }: StageOptions = {}): Promise<Stage> {
  const directory = makeFolder()
  if (fill === undefined) await copyDemo(directory)
  else fill(directory)
  let service = await startServiceProcess(directory)
  const stage = await openAppStage(options)
  const person = (index: number): Account => {
    const account = service.accounts[index]
    if (account === undefined) throw new Error('nobody can sign in there')
    return account
  }
  const restart = async () => {
    stoppedServices.delete(restart)
    service = await startServiceProcess(directory, service.port)
  }
  const killService = async () => {
    stoppedServices.add(restart)
    await kill(service.child)
  }
  return {
    ...stage,
    // A spread would copy the present values instead of the getters.
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
    async stopService() {
      await killService()
      await stage.noticeGone()
    },
    killService,
    async startService() {
      await restart()
      await stage.noticeBack()
    },
    async close() {
      await stage.close()
      await killService()
      stoppedServices.delete(restart)
      removeFolder(directory)
    },
  }
}

/**
 * Runs in the window. A service that is being stopped may still answer once, so being offline has to last. A window that
 * shows no state of the connection is left after three seconds.
 */
async function noticedGone(): Promise<void> {
  for (let time = 0, times = 0; time < 20 && times < 3; time++) {
    times = document.querySelector('.sync.off') === null ? 0 : times + 1
    if (times === 0) dispatchEvent(new Event('online'))
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}

/** Chooses a language as the settings do, including the one that they do not offer. */
async function chooseLanguage(dataDirectory: string, language: Language): Promise<void> {
  mkdirSync(dataDirectory, { recursive: true })
  const store = await openAccountsStore(dataDirectory, () => {})
  store.setDeviceSettings({ language })
  store.close()
}
