import { t } from '../../src-shared/texts/texts.ts'
import { pauseLengths } from '../../src-shared/model/quiet.ts'
import type { ShellCommand, ShellState } from './shell-state.ts'

/** The bird that the tray shows. */
export type TrayIcon = 'plain' | 'unread' | 'attention' | 'offline'

/** The bar in which the tray's icon lies. */
export interface TrayBar {
  readonly platform: NodeJS.Platform
  /** `XDG_CURRENT_DESKTOP` on Linux. */
  readonly desktop: string
  /** The theme of windows. */
  readonly isDark: boolean
  /** The theme of the system's own bars; only Windows has one of its own. */
  readonly isSystemDark: boolean
}

/**
 * The file name of the tray's picture. macOS colours template images itself, so it has no coloured dot: the unread icon
 * also stands for attention. On Linux most bars are dark in every theme; KDE's have the theme of the windows.
 */
export function trayFile(icon: TrayIcon, { platform, desktop, isDark, isSystemDark }: TrayBar): string {
  const suffix = icon === 'plain' ? '' : `-${icon}`
  if (platform === 'darwin') return `tray-template${icon === 'attention' ? '-unread' : suffix}.png`
  const isBarDark = platform === 'win32' ? isSystemDark : isDark || !desktop.split(':').includes('KDE')
  return `tray-${isBarDark ? 'dark' : 'light'}${suffix}.png`
}

/** Whether a click on the tray's icon shows the window; on macOS it opens the menu. */
export const showsOnTrayClick = (platform: NodeJS.Platform): boolean => platform !== 'darwin'

/** A line of the tray's menu. */
export interface TrayItem {
  readonly label: string
  readonly command: ShellCommand
  /** Undefined: not a toggle. */
  readonly isChecked?: boolean
}

/** Everything that the tray shows, as data. A null item is a separator. */
export interface TrayModel {
  readonly icon: TrayIcon
  readonly tooltip: string
  readonly items: readonly (TrayItem | null)[]
}

/** The tray for a state. What concerns the person takes precedence over the network, which precedes the rest. */
export function trayModel(state: ShellState): TrayModel {
  return {
    icon: iconOf(state),
    tooltip: tooltipOf(state),
    items: [
      { label: t.native.open, command: { kind: 'show' } },
      ...(state.accounts.length > 1
        ? [
            null,
            ...state.accounts.map(({ id, name, unreadCount }) => ({
              label: unreadCount > 0 ? `${name} (${unreadCount})` : name,
              command: { kind: 'show-account' as const, accountId: id },
            })),
          ]
        : []),
      null,
      {
        label: t.native.notifications,
        command: { kind: 'set-notifications', on: !state.notifies },
        isChecked: state.notifies,
      },
      ...pauseItems(state),
      null,
      { label: t.native.quit, command: { kind: 'quit' } },
    ],
  }
}

function pauseItems({ notifies, isPaused, quietUntil }: ShellState): TrayItem[] {
  if (!notifies) return []
  if (isPaused) return [{ label: t.native.pauses.end, command: { kind: 'pause', length: null } }]
  if (quietUntil !== null) return []
  return pauseLengths.map((length) => ({
    label: t.native.pauses[length],
    command: { kind: 'pause', length },
  }))
}

function iconOf(state: ShellState): TrayIcon {
  if (state.mentionCount > 0) return 'attention'
  if (state.isOffline) return 'offline'
  return state.unreadCount > 0 ? 'unread' : 'plain'
}

function tooltipOf({ unreadCount, mentionCount, isOffline, waitingCount, quietUntil }: ShellState): string {
  const parts = [
    ...(unreadCount > 0 ? [t.native.state.unread(unreadCount)] : []),
    ...(mentionCount > 0 ? [t.native.state.forYou(mentionCount)] : []),
    ...(quietUntil === null ? [] : [t.native.state.quiet]),
    ...(isOffline ? [t.native.state.offline] : []),
    ...(waitingCount > 0 ? [t.native.state.waiting(waitingCount)] : []),
  ]
  return parts.length === 0 ? 'Dunlin' : `Dunlin: ${parts.join(', ')}`
}
