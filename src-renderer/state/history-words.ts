import type { HistoryProgress } from '../../src-shared/model/account.ts'
import { t } from '../../src-shared/texts/texts.ts'

/** The progress of fetching history, in one sentence; empty while nothing is being fetched. */
export function historyWords(progress: HistoryProgress | null): string {
  switch (progress?.step) {
    case 'newest':
      return t.mainWindow.history.newest
    case 'unread':
      return t.mainWindow.history.unread(progress.conversations)
    case 'earlier':
      return t.mainWindow.history.earlier(t.settings.percent(Math.round(progress.share * 100)))
    case undefined:
      return ''
  }
}
