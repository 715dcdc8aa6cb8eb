import { app } from './app.ts'
import { clickMenu } from './menus.ts'
import { record } from './record.ts'
import { nativeTheme, powerMonitor, shownNotifications } from './system.ts'
import { askPermission, askProtocol, openWindows } from './window.ts'

/** The requests of a test to the rehearsed system, over the process's own channel. */
export type Command =
  | { kind: 'record' }
  | { kind: 'click-menu'; where: 'application' | 'tray' | 'context'; label: string }
  | { kind: 'click-notification'; index: number }
  | { kind: 'reply-notification'; index: number; text: string }
  | { kind: 'open-url'; url: string }
  | { kind: 'second-start'; args: string[] }
  | { kind: 'permission'; permission: string; origin: string }
  | { kind: 'fetch'; url: string; method?: string }
  | { kind: 'close-window' }
  | { kind: 'crash-page' }
  | { kind: 'wake' }
  | { kind: 'theme'; isDark: boolean }
  | { kind: 'quit' }

async function answer(command: Command): Promise<unknown> {
  switch (command.kind) {
    case 'record':
      return record
    case 'click-menu':
      return clickMenu(command.where, command.label)
    case 'click-notification':
      return shownNotifications[command.index]?.emit('click', {})
    case 'reply-notification':
      return shownNotifications[command.index]?.emit('reply', { reply: command.text })
    case 'open-url':
      return app.emit('open-url', { preventDefault: () => {} }, command.url)
    case 'second-start':
      return app.emit('second-instance', {}, ['dunlin', ...command.args], '')
    case 'permission':
      return askPermission(command.permission, command.origin)
    case 'fetch': {
      const response = await askProtocol(command.url, command.method)
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: (await response.text()).slice(0, 200),
      }
    }
    case 'close-window':
      return openWindows[0]?.close()
    case 'crash-page':
      return openWindows[0]?.webContents.crash()
    case 'wake':
      return powerMonitor.emit('resume')
    case 'theme':
      nativeTheme.shouldUseDarkColors = command.isDark
      return nativeTheme.emit('updated')
    case 'quit':
      return app.quit()
  }
}

process.on('message', ({ id, command }: { id: number; command: Command }) => {
  void answer(command).then(
    (value) => process.send?.({ id, value: value ?? null }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  )
})
