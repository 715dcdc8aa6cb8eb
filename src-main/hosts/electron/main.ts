import { app, dialog, session, type BrowserWindow } from 'electron'
import { join, resolve } from 'node:path'
import { background } from '../../../src-shared/background.ts'
import { failureOf, logTextOf } from '../../../src-shared/failure.ts'
import { serveBridge } from '../../../src-shared/bridge/serve.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import type { Engine } from '../../engine/contract.ts'
import { createEngine } from '../../engine/engine.ts'
import { findKeysOf } from '../../shell/accelerator.ts'
import { deepLink, deepLinkScheme, linkAmong } from '../../shell/deep-link.ts'
import { appUserModelId, toastActivatorClsid } from '../../shell/identity.ts'
import type { ShellCommand } from '../../shell/shell-state.ts'
import { argsOfNextStart, startsHidden } from '../../shell/start-model.ts'
import { EmbeddedService } from '../embedded-service.ts'
import { readFlags, usage, type Flags } from '../flags.ts'
import { lockDataDirectory } from '../instance-lock.ts'
import { log } from '../log.ts'
import { prerender } from '../first-page.ts'
import { registerAppScheme, serveApp } from './app-protocol.ts'
import { makeBadge } from './badge.ts'
import { denyPermissions, keepPagesInside } from './lockdown.ts'
import { makeTray, openContextMenus, setMenu } from './menus.ts'
import { showNotices } from './notifications.ts'
import { electronPlatform, launchServiceProcess } from './platform.ts'
import { servePorts } from './port.ts'
import { applyStartupSettings, keepStartupSettings } from './startup.ts'
import { mainWindow, type MainWindow } from './window.ts'

// The built file is out/main/main.js.
const root = resolve(import.meta.dirname, '../..')
const iconsDirectory = join(root, 'build/icons/png')

/** The running app. */
interface Running {
  readonly engine: Engine
  readonly window: MainWindow
  /** Saves what was typed, then stops everything. */
  end(): Promise<void>
}

/**
 * Starts the app. Must be called once, after Electron is ready. Rejects with a `FailureError` if the data directory
 * cannot be used.
 */
async function start(flags: Flags): Promise<Running> {
  const { dataDirectory } = flags
  const unlock = lockDataDirectory(dataDirectory)
  const service = new EmbeddedService({
    dataDirectory,
    mode: flags.demo === 'quiet' ? 'quiet' : 'lively',
    launch: launchServiceProcess(join(root, 'out/main/service.js')),
    log,
  })
  const notices = showNotices(
    () => ({
      clicked(id) {
        engine.noticeClicked(id)
        window.show()
      },
      replied: (notice, text) => engine.noticeReplied(notice, text),
    }),
    log,
  )
  const engine = await createEngine(electronPlatform({ dataDirectory, service, notices, log }))
  if (flags.demo !== 'no') await engine.call('start-demo', {})

  denyPermissions(session.defaultSession)
  keepPagesInside((url) => {
    background(engine.call('open-link', { url }), log)
  })
  const rendererDirectory = join(root, 'out/renderer')
  serveApp(session.defaultSession, { engine, rendererDirectory, log })
  const stopPorts = servePorts((port) => serveBridge(port, engine, log))
  app.on('web-contents-created', (_event, contents) => openContextMenus(contents))

  const window = mainWindow({
    preloadPath: join(root, 'out/preload/preload.cjs'),
    statePath: join(dataDirectory, 'window.json'),
    isHidden: startsHidden(
      process.platform,
      flags.isHidden,
      () => app.getLoginItemSettings().wasOpenedAtLogin,
    ),
    keepsInTray: () => engine.deviceSettings().keepsInTray,
    quit: () => app.quit(),
    log,
  })
  prerender(engine, rendererDirectory, log)
  const run = (command: ShellCommand) => runCommand(engine, window, command)
  const tray = makeTray(iconsDirectory, run)
  const showBadge = makeBadge(iconsDirectory, (): BrowserWindow | null => window.current)
  const keepSettings = keepStartupSettings(dataDirectory, log)
  const showState = () => {
    const state = engine.shellState()
    const settings = engine.deviceSettings()
    keepSettings(settings)
    setMenu(run, settings.spokenLanguage, findKeysOf(settings))
    tray.show(state)
    showBadge(state)
  }
  engine.onShellState(showState)
  showState()

  return {
    engine,
    window,
    async end() {
      await window.close()
      stopPorts()
      tray.destroy()
      await engine.close()
      service.stop()
      unlock()
    },
  }
}

function runCommand(engine: Engine, window: MainWindow, command: ShellCommand): void {
  switch (command.kind) {
    case 'quit':
      return app.quit()
    case 'set-notifications':
      return engine.setNotifications(command.on)
    case 'pause':
      return engine.pauseNotifications(command.length)
    case 'show':
      return window.show()
    case 'show-account':
      engine.openRequest({ accountId: command.accountId, narrow: null, messageId: null })
      return window.show()
    case 'go':
      engine.openRequest({ accountId: null, narrow: { kind: command.view }, messageId: null })
      return window.show()
    case 'find':
      engine.requestFind()
      return window.show()
  }
}

/** Shows the window, at the place of a link if there is one. */
function comeForward({ engine, window }: Running, link: string | null): void {
  if (link !== null) openLink(engine, link)
  window.show()
}

function openLink(engine: Engine, link: string): void {
  const place = deepLink(link, engine.shellState().accounts)
  if (place === null) log('link: it leads to no organization that is signed in to')
  else engine.openRequest({ ...place, messageId: place.near })
}

/** Has the app started anew once this process has ended. */
function startAgain(link: string | null): void {
  const program = process.env['APPIMAGE']
  app.relaunch({
    args: argsOfNextStart(process.argv.slice(1), link),
    ...(program === undefined ? {} : { execPath: program }),
  })
}

function main(): void {
  if (process.platform === 'win32') {
    // In this order, because Electron writes the class into the shortcut of the id.
    app.setToastActivatorCLSID(toastActivatorClsid)
    app.setAppUserModelId(appUserModelId)
  }
  let flags: Flags | null
  try {
    flags = readFlags(process.argv.slice(1), { passesOver: true })
  } catch (error) {
    log(error instanceof Error ? error.message : String(error))
    return app.exit(2)
  }
  if (flags === null) {
    process.stdout.write(`${usage}\n`)
    return app.exit(0)
  }
  // Electron's own files are in the data directory, so that apps with different data directories can run side by side.
  app.setPath('userData', join(flags.dataDirectory, 'electron'))
  applyStartupSettings(flags.dataDirectory)
  if (!app.requestSingleInstanceLock()) return app.quit()
  registerAppScheme()
  // If the app is not packaged, the program is Electron itself, which would open links without our app.
  if (app.isPackaged) app.setAsDefaultProtocolClient(deepLinkScheme)

  let running: Running | null = null
  // Somebody asks for the window, perhaps with a link, before the app has started or while it is ending.
  const firstLink = linkAmong(process.argv)
  let asked: { readonly link: string | null } | null = firstLink === null ? null : { link: firstLink }
  const take = (link: string | null) => {
    if (running === null) asked = { link: link ?? asked?.link ?? null }
    else comeForward(running, link)
  }
  app.on('open-url', (event, url) => {
    event.preventDefault()
    take(url)
  })
  app.on('second-instance', (_event, args) => take(linkAmong(args)))
  // Not remembered: macOS also reports the start itself.
  app.on('activate', () => running?.window.show())
  // The app stays in the tray; without a listener Electron would quit.
  app.on('window-all-closed', () => {})
  let isEnding = false
  app.on('before-quit', (event) => {
    const ending = running
    // Also on a second attempt to quit, because the page is still saving what was typed.
    if (isEnding || ending !== null) event.preventDefault()
    if (ending === null) return
    isEnding = true
    running = null
    background(
      ending.end().finally(() => {
        if (asked !== null) startAgain(asked.link)
        app.exit(0)
      }),
      log,
    )
  })

  void app
    .whenReady()
    .then(() => start(flags))
    .then((started) => {
      running = started
      if (asked !== null) comeForward(started, asked.link)
      asked = null
    })
    .catch((error: unknown) => {
      log(logTextOf(error))
      dialog.showErrorBox(t.native.cannotStart, failureOf(error).message)
      app.exit(1)
    })
}

main()
