import type { inbox as en } from '../en/inbox.ts'
import { number, plural } from './grammar.ts'

export const inbox: typeof en = {
  name: 'Eingang',
  list: 'Ungelesene Unterhaltungen',
  filters: { all: 'Alle', directs: 'Direktnachrichten', mentions: 'Erwähnungen', followed: 'Gefolgt' },
  newest: (count) =>
    plural(count, { one: 'die neueste Unterhaltung', other: 'die neuesten # Unterhaltungen' }),
  sum: (unread, conversations) =>
    plural(conversations, {
      one: `${number(unread)} ungelesen in # Unterhaltung`,
      other: `${number(unread)} ungelesen in # Unterhaltungen`,
    }),
  markAllRead: 'Alles gelesen',
  directs: 'Direktnachrichten',
  coming: {
    title: 'Deine Nachrichten sind unterwegs',
    text: 'Die neuesten kommen zuerst. Sobald sie da sind, kannst du lesen und schreiben.',
  },
  away: {
    title: 'Noch keine Nachrichten hier',
    text: 'Sie kommen, sobald dieses Gerät verbunden ist. Lesen und schreiben kannst du, sobald sie da sind.',
  },
  closed: {
    title: 'Dieses Konto ist nicht geöffnet',
    text: 'Die Meldung darüber sagt, warum, und was zu tun ist.',
  },
  nothing: {
    all: {
      title: 'Alles ist gelesen',
      text: 'Neue Nachrichten erscheinen hier, auch die, die während deiner Abwesenheit kommen.',
    },
    directs: {
      title: 'Keine ungelesenen Direktnachrichten',
      text: 'Was andere nur dir schreiben, erscheint hier.',
    },
    mentions: {
      title: 'Keine ungelesenen Erwähnungen',
      text: 'Nachrichten, die dich nennen, erscheinen hier.',
    },
    followed: {
      title: 'Nichts Neues in Themen, denen du folgst',
      text: 'Folge einem Thema, damit es hier steht.',
    },
  },
  facts: {
    starred: (count: number) => plural(count, { one: '# markiert', other: '# markiert' }),
    drafts: (count: number) => plural(count, { one: '# Entwurf', other: '# Entwürfe' }),
    nextScheduled: (when: string) => `Nächste geplant: ${when}`,
  },
  olderLater: 'Ältere erscheinen, sobald diese gelesen sind.',
  keys: {
    writeToChannel: 'In einen Kanal schreiben',
    writeToPerson: 'Jemandem schreiben',
    jump: 'Überallhin springen',
    recent: 'Letzte Unterhaltungen',
    move: 'Bewegen',
    open: 'Öffnen',
    markRead: 'Gelesen',
    mute: 'Thema stumm',
    markChannelRead: 'Kanal gelesen',
    all: 'Alle Tastenkürzel',
  },
  acts: {
    more: 'Mehr',
    open: 'Öffnen',
    markRead: 'Als gelesen markieren',
    mute: 'Thema stummschalten',
    markChannelRead: (channel) => `${channel} als gelesen markieren`,
    visibility: {
      followed: 'Thema folgen',
      none: 'Wie im Kanal eingestellt',
      unmuted: 'Thema nicht mehr stummschalten',
      muted: 'Thema stummschalten',
    },
  },
  unread: 'ungelesen',
}
