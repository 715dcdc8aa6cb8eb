import { app } from 'electron'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { DeviceSettings } from '../../../src-shared/bridge/settings.ts'
import { autostartEntry } from '../../shell/autostart-entry.ts'

/** Exists while the window is to be drawn without the graphics card: that is asked before anything else is open. */
const plainDrawing = (dataDirectory: string) => join(dataDirectory, 'electron', 'draw-without-graphics-card')

/** Before Electron is ready: what the person wished for this start at the last one. */
export function applyStartupWishes(dataDirectory: string): void {
  if (existsSync(plainDrawing(dataDirectory))) app.disableHardwareAcceleration()
}

/** Lets the system and the next start know what the person wishes; returns what takes over later wishes. */
export function keepStartupWishes(
  dataDirectory: string,
  log: (line: string) => void,
): (wishes: DeviceSettings) => void {
  let last: DeviceSettings | null = null
  return (wishes) => {
    const before = last
    last = wishes
    try {
      if (wishes.hardwareAcceleration) rmSync(plainDrawing(dataDirectory), { force: true })
      else writeFileSync(plainDrawing(dataDirectory), '')
      // The system is told of a change only: what a person set up there by hand is theirs.
      if (before !== null && before.startsAtLogin !== wishes.startsAtLogin) startAtLogin(wishes.startsAtLogin)
    } catch (error) {
      log(`startup: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

function startAtLogin(isOn: boolean): void {
  // Not packaged, the program is Electron itself, which would start with nothing in it.
  if (!app.isPackaged) return
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: isOn, args: ['--hidden'] })
    return
  }
  const folder = join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'autostart')
  const file = join(folder, 'dunlin.desktop')
  if (!isOn) {
    rmSync(file, { force: true })
    return
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, autostartEntry(process.env['APPIMAGE'] ?? process.execPath))
}
