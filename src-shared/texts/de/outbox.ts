import type { outbox as en } from '../en/outbox.ts'
import { plural } from './grammar.ts'

export const outbox: typeof en = {
  unknown: (name) => `Eine Änderung einer Art, die diese Version nicht kennt (${name})`,
  edit: '1 Bearbeitung',
  deletion: '1 Löschung',
  moved: {
    one: (topic) => `1 Nachricht nach „${topic}“ verschoben`,
    later: (topic) => `Nachrichten nach „${topic}“ verschoben`,
    all: (topic) => `Thema nach „${topic}“ verschoben`,
  },
  movedToChannel: {
    one: '1 Nachricht in einen anderen Kanal verschoben',
    later: 'Nachrichten in einen anderen Kanal verschoben',
    all: 'Thema in einen anderen Kanal verschoben',
  },
  reaction: (emoji) => `Reaktion ${emoji}`,
  reactionRemoved: (emoji) => `Reaktion ${emoji} entfernt`,
  starred: (count) => plural(count, { one: '# Nachricht markiert', other: '# Nachrichten markiert' }),
  unstarred: (count) =>
    plural(count, { one: '# Nachricht nicht mehr markiert', other: '# Nachrichten nicht mehr markiert' }),
  markedRead: (count) => plural(count, { one: '# Nachricht gelesen', other: '# Nachrichten gelesen' }),
  markedUnread: (count) => plural(count, { one: '# Nachricht ungelesen', other: '# Nachrichten ungelesen' }),
  narrowRead: {
    combined: 'Alles als gelesen markiert',
    channel: 'Ein Kanal als gelesen markiert',
    directs: 'Direktnachrichten als gelesen markiert',
    mentions: 'Erwähnungen als gelesen markiert',
    other: 'Eine Unterhaltung als gelesen markiert',
  },
  topicAsChannel: 'Ein Thema wie sein Kanal',
  topicVisibility: {
    muted: 'Ein Thema stummgeschaltet',
    unmuted: 'Ein Thema nicht mehr stumm',
    followed: 'Einem Thema gefolgt',
  },
  scheduledCancelled: 'Eine geplante Nachricht abgesagt',
  scheduledChanged: 'Eine geplante Nachricht geändert',
  snippet: (title) => `Textbaustein: ${title}`,
  vote: '1 Stimme',
  widget: '1 Änderung einer Umfrage oder Liste',
  report: '1 Meldung',
  reminder: '1 Erinnerung',
  reminderChanged: 'Eine Erinnerung geändert',
  reminderDone: 'Eine Erinnerung erledigt',
  personMuted: '1 Person stummgeschaltet',
  personUnmuted: '1 Person nicht mehr stumm',
  alertWord: (word) => `Signalwort „${word}“`,
  alertWordRemoved: (word) => `Signalwort „${word}“ entfernt`,
  status: 'Dein Status',
  statusCleared: 'Dein Status entfernt',
  setting: 'Eine Einstellung',
}
