import { t } from '../../src-shared/texts/texts.ts'
import type { ShellState } from './shell-state.ts'

/** What the app's icon shows in the dock, taskbar or launcher. */
export interface BadgeModel {
  /** 0: no number. */
  readonly count: number
  /** The dot on Windows, which has no number there; null: none. */
  readonly overlay: 'unread' | 'attention' | null
  /** The overlay in words, for screen readers. */
  readonly description: string
  /** Whether to draw attention: the taskbar entry flashes or the dock icon bounces once. */
  readonly wantsAttention: boolean
}

const highestCount = 9_999

/** The icon for a state of the app: quiet hours and pauses keep the counts and only stop it from drawing attention. */
export function badgeModel({ unreadCount, badgeCount, mentionCount, quietUntil }: ShellState): BadgeModel {
  return {
    count: Math.min(badgeCount, highestCount),
    overlay: mentionCount > 0 ? 'attention' : badgeCount > 0 ? 'unread' : null,
    description:
      unreadCount === 0
        ? ''
        : [
            t.native.state.unread(unreadCount),
            ...(mentionCount > 0 ? [t.native.state.forYou(mentionCount)] : []),
          ].join(', '),
    wantsAttention: mentionCount > 0 && quietUntil === null,
  }
}
