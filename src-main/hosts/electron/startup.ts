import { app } from 'electron'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { DeviceSettings } from '../../../src-shared/bridge/settings.ts'
import { autostartEntry } from '../../shell/autostart-entry.ts'

/** This file exists while hardware acceleration is off. It is a file because it is read before any database is open. */
const plainDrawing = (dataDirectory: string) => join(dataDirectory, 'electron', 'draw-without-graphics-card')

/** Applies the settings that must be set before Electron is ready, as stored by `keepStartupSettings`. */
export function applyStartupSettings(dataDirectory: string): void {
  if (existsSync(plainDrawing(dataDirectory))) app.disableHardwareAcceleration()
}

/** Returns a function that stores settings for the next start and applies "start at login" when it changes. */
export function keepStartupSettings(
  dataDirectory: string,
  log: (line: string) => void,
): (settings: DeviceSettings) => void {
  let last: DeviceSettings | null = null
  return (settings) => {
    const before = last
    last = settings
    try {
      if (settings.hardwareAcceleration) rmSync(plainDrawing(dataDirectory), { force: true })
      else writeFileSync(plainDrawing(dataDirectory), '')
      // Only when it changes, so that an entry that the person made in the system's settings is kept.
      if (before !== null && before.startsAtLogin !== settings.startsAtLogin)
        startAtLogin(settings.startsAtLogin)
    } catch (error) {
      log(`startup: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

function startAtLogin(isOn: boolean): void {
  // If the app is not packaged, the program is Electron itself, which would start without our app.
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
