import { app, nativeImage, type BrowserWindow } from 'electron'
import { join } from 'node:path'
import { badgeModel } from '../../shell/badge-model.ts'
import type { ShellState } from '../../shell/shell-state.ts'

/** Shows unread messages on the app's icon. Returns a function that shows a new state. */
export function makeBadge(iconsDirectory: string, window: () => BrowserWindow | null) {
  let attended = true
  return (state: ShellState): void => {
    const { count, overlay, description, wantsAttention } = badgeModel(state)
    const current = window()
    if (process.platform === 'win32') {
      const picture =
        overlay === null ? null : nativeImage.createFromPath(join(iconsDirectory, `overlay-${overlay}.png`))
      current?.setOverlayIcon(picture, description)
    } else {
      app.setBadgeCount(count)
    }
    // Only when something new for the person arrives, not as long as it is unread.
    if (wantsAttention && attended && current?.isFocused() === false) {
      if (process.platform === 'darwin') app.dock?.bounce('informational')
      else current.flashFrame(true)
    }
    if (!wantsAttention && process.platform !== 'darwin') current?.flashFrame(false)
    attended = !wantsAttention
  }
}
