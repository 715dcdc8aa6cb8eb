import { linkAmong } from './deep-link.ts'

/**
 * Whether the app starts in the tray. A start with the computer passes a flag, except on macOS, which tells the app
 * instead that it was opened at login.
 */
export function startsHidden(
  platform: NodeJS.Platform,
  hasFlag: boolean,
  wasOpenedAtLogin: () => boolean,
): boolean {
  return hasFlag || (platform === 'darwin' && wasOpenedAtLogin())
}

/**
 * The arguments of the next start, for a link (null: only to show the window) that arrived while this one, with the
 * arguments `own`, was ending.
 */
export function argsOfNextStart(own: readonly string[], link: string | null): string[] {
  const kept = own.filter((arg) => arg !== '--hidden' && linkAmong([arg]) === null)
  return link === null ? kept : [...kept, link]
}
