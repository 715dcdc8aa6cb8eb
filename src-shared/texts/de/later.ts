import type { later as en } from '../en/later.ts'
import { plural } from './grammar.ts'

export const later: typeof en = {
  when: 'Wann',
  isOver: 'Diese Zeit ist schon vorbei. Wähle eine spätere.',
  keys: { move: 'Bewegen', open: 'Öffnen', edit: 'Bearbeiten', delete: 'Löschen', done: 'Erledigt' },
  hasLeft: 'Das ist auf dem Weg zum Server. Deine Änderungen sind noch da: Speichere sie gleich noch einmal.',
  scheduled: {
    name: 'Geplant',
    list: 'Geplante Nachrichten',
    count: (count) => plural(count, { one: '# Nachricht', other: '# Nachrichten' }),
    none: 'Nichts ist geplant',
    noneText:
      'Schreibe eine Nachricht und wähle neben „Senden“ „Später senden“, damit sie zu ihrer Zeit gesendet wird.',
    late: 'Nicht zu ihrer Zeit gesendet',
    edit: 'Bearbeiten',
    sendNow: 'Jetzt senden',
    delete: 'Löschen',
    deleted: {
      now: 'Geplante Nachricht gelöscht',
      later: 'Geplante Nachricht wird gelöscht, sobald du wieder online bist',
    },
    keptAsDraft: 'Sie ist wieder ein Entwurf, weil ihre Zeit vorbei ist',
    missed: 'Nicht zu ihrer Zeit gesendet',
    waiting: 'Wird noch geplant',
    changing: 'Die Änderung wartet auf den Server',
    begunEdit: 'Änderung nicht gespeichert',
    sending: 'Wird gleich gesendet',
    editTitle: 'Geplante Nachricht ändern',
    editAsDraft: 'Die nicht gespeicherte Änderung einer geplanten Nachricht ist jetzt ein Entwurf',
    text: 'Nachricht',
    offline:
      'Der Server erfährt es, sobald du wieder online bist. Was schon dort ist, wird bis dahin zu seiner Zeit gesendet.',
  },
  starred: {
    list: 'Markierte Nachrichten, zuletzt markierte zuerst',
    count: (count) => plural(count, { one: '# Nachricht', other: '# Nachrichten' }),
    none: 'Keine markierten Nachrichten',
    noneText:
      'Ein Stern bringt eine Nachricht hierher. Er gehört dir allein und gilt auf allen deinen Geräten.',
    before: 'Früher oder anderswo markiert',
    unstar: 'Stern entfernen',
    ended: 'Stern entfernt',
  },
  reminders: {
    name: 'Erinnerungen',
    list: 'Nachrichten, auf die du zurückkommen willst',
    count: (count) => plural(count, { one: '# Erinnerung', other: '# Erinnerungen' }),
    none: 'Keine Erinnerungen',
    noneText: 'Wähle im Menü einer Nachricht „Erinnere mich“, damit sie zurückkommt.',
    late: 'Ihre Zeit ist vorbei',
    edit: 'Ändern',
    done: 'Erledigt',
    ended: {
      now: 'Erinnerung erledigt',
      later: 'Erinnerung wird als erledigt vermerkt, sobald du wieder online bist',
    },
    noteHelp: 'Woran du dabei denken willst',
    noteOptional: 'Notiz (freiwillig)',
    notHere: 'Diese Nachricht ist nicht auf diesem Gerät.',
    missed: 'Nicht zugestellt',
    waiting: 'Wartet auf den Server',
    newTitle: 'Erinnere mich',
    editTitle: 'Erinnerung ändern',
    set: 'Erinnerung setzen',
    offline: 'Der Server erfährt es, sobald du wieder online bist.',
  },
}
