import { describe, expect, test, vi } from 'vitest'
import type { Inbox, InboxRow } from '../../src-shared/model/conversation-lists.ts'
import type { Sidebar } from '../../src-shared/model/sidebar.ts'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { accountId, channelId, messageId, userId } from '../../src-shared/ids.ts'
import type { Account } from '../../src-shared/model/account.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import {
  chordOf,
  isSingleKey,
  keyCaps,
  pastesPlain,
  worksWhileTyping,
  type KeyFacts,
} from '../../src-renderer/state/keys/chord.ts'
import {
  dutyOf,
  keysOf,
  shortcuts,
  conflictingShortcut,
  type Shortcut,
  type ShortcutName,
  type ShortcutPlace,
} from '../../src-renderer/state/keys/shortcuts.ts'
import { keyBindings } from '../../src-renderer/state/keys/key-bindings.svelte.ts'
import { listKey } from '../../src-renderer/state/keys/list-keys.ts'
import { addressOf, type Route } from '../../src-renderer/state/navigation/route.svelte.ts'
import { goingPlaces } from '../../src-renderer/views/main-window/going-places.ts'
import { listenToKeys } from '../../src-renderer/views/main-window/keys.ts'
import { channelBeside, nextUnread } from '../../src-renderer/views/main-window/next-place.ts'

/** A key as a browser reports it; modifiers by their first letters. */
const pressed = (key: string, code: string, modifiers = '') =>
  chordOf({
    key,
    code,
    ctrlKey: modifiers.includes('c'),
    altKey: modifiers.includes('a'),
    shiftKey: modifiers.includes('s'),
    metaKey: modifiers.includes('m'),
  })

describe('what is pressed', () => {
  test.each([
    ['c', 'KeyC', '', 'C'],
    ['I', 'KeyI', 's', 'Shift+I'],
    ['k', 'KeyK', 'c', 'Ctrl+K'],
    ['k', 'KeyK', 'm', 'Ctrl+K'],
    ['L', 'KeyL', 'cs', 'Ctrl+Shift+L'],
    ['?', 'Slash', 's', '?'],
    ['/', 'Slash', '', '/'],
    ['*', 'Digit8', 's', '*'],
    ['+', 'Equal', 's', '+'],
    ["'", 'Quote', 'c', "Ctrl+'"],
    ['1', 'Digit1', 'c', 'Ctrl+1'],
    [' ', 'Space', 's', 'Shift+Space'],
    ['ArrowDown', 'ArrowDown', '', 'ArrowDown'],
    ['F6', 'F6', 's', 'Shift+F6'],
    ['Shift', 'ShiftLeft', 's', null],
    ['Control', 'ControlLeft', 'c', null],
  ])('%s (%s) %s', (key, code, modifiers, chord) => expect(pressed(key, code, modifiers)).toBe(chord))

  test('a layout without Latin letters counts by place, a Latin one by letter', () => {
    expect(pressed('с', 'KeyC')).toBe('C')
    expect(pressed('Ш', 'KeyI', 's')).toBe('Shift+I')
    expect(pressed('л', 'KeyK', 'c')).toBe('Ctrl+K')
    expect(pressed('χ', 'KeyX')).toBe('X')
    expect(pressed('х', 'BracketLeft', 'c')).toBe('Ctrl+[')
    // Signs that need Shift are where they are on the keyboard the codes are named after.
    expect(pressed('Ю', 'Period', 's')).toBe('>')
    expect(pressed('Б', 'Comma', 's')).toBe('<')
    expect(pressed('Ж', 'Semicolon', 's')).toBe(':')
    expect(pressed('ю', 'Period', 'c')).toBe('Ctrl+.')
    // Where a French keyboard has A, an English one has Q.
    expect(pressed('a', 'KeyQ')).toBe('A')
    expect(pressed('Dead', 'KeyN', 'a')).toBe('Alt+N')
  })

  test('a key that types two letters counts by place', () => {
    expect(pressed('لا', 'KeyB')).toBe('B')
    expect(pressed('لأ', 'KeyG', 's')).toBe('Shift+G')
  })

  test('what AltGr types is its sign, or no shortcut at all', () => {
    const withAltGr = (key: string, code: string) =>
      chordOf({
        ...{ key, code, ctrlKey: false, altKey: false, shiftKey: false, metaKey: false },
        getModifierState: (name) => name === 'AltGraph',
      })
    expect(withAltGr('@', 'KeyQ')).toBe('@')
    expect(['ą', '€', 'Dead', '²'].map((key) => withAltGr(key, 'KeyA'))).toEqual([null, null, null, null])
    expect(withAltGr('ArrowLeft', 'ArrowLeft')).toBe('ArrowLeft')
    // As systems report it that know no AltGr.
    expect(pressed('@', 'KeyQ', 'ca')).toBe('@')
    expect([pressed('ą', 'KeyA', 'ca'), pressed('’', 'Digit0', 'ca')]).toEqual([null, null])
    // What the key types anyway has both keys pressed with it.
    expect(pressed('0', 'Digit0', 'ca')).toBe('Ctrl+Alt+0')
    expect(pressed('/', 'Slash', 'ca')).toBe('Ctrl+Alt+/')
    expect(pressed('л', 'KeyK', 'ca')).toBe('Ctrl+Alt+K')
  })

  test('what Option types on a Mac is its sign', () => {
    vi.stubGlobal('navigator', { userAgent: 'Macintosh; Intel Mac OS X' })
    expect(pressed('@', 'KeyL', 'a')).toBe('@')
    expect(pressed('π', 'KeyP', 'a')).toBe('Alt+P')
    vi.unstubAllGlobals()
  })

  test('plain text is pasted by the key of the letter, wherever the layout has it', () => {
    const pastes = (key: string, code: string, held: Partial<KeyFacts> = {}) =>
      pastesPlain({ key, code, ctrlKey: true, altKey: false, shiftKey: true, metaKey: false, ...held })
    expect([pastes('V', 'KeyV'), pastes('V', 'Period'), pastes('М', 'KeyV')]).toEqual([true, true, true])
    expect([pastes('K', 'KeyV'), pastes('v', 'KeyV', { shiftKey: false })]).toEqual([false, false])
    vi.stubGlobal('navigator', { userAgent: 'Macintosh; Intel Mac OS X' })
    expect(pastes('◊', 'KeyV', { ctrlKey: false, metaKey: true, altKey: true })).toBe(true)
    vi.unstubAllGlobals()
  })

  test('single keys are known from those that work while typing', () => {
    expect(['C', '?', '+', 'Shift+I', 'Space'].every(isSingleKey)).toBe(true)
    expect(['Ctrl+K', 'Alt+P', 'ArrowDown', 'F6', 'Shift+F6', 'Escape'].some(isSingleKey)).toBe(false)
    expect(['Ctrl+K', 'Alt+P', 'F6', 'Shift+F6'].every(worksWhileTyping)).toBe(true)
    expect(['C', 'Shift+I', 'Escape', 'ArrowDown'].some(worksWhileTyping)).toBe(false)
    expect(keyCaps('Ctrl+Shift+L', false)).toEqual(['Ctrl', 'Shift', 'L'])
    expect(keyCaps('Ctrl+ArrowUp', true)).toEqual(['⌘', '↑'])
  })
})

test('where a layout of other letters has a sign at the place of a letter, the place counts', () => {
  keyBindings.use({ shortcuts: {}, singleKeys: true })
  const means = (key: string, code: string) =>
    keyBindings.nameOfKeys(
      { key, code, ctrlKey: false, altKey: false, shiftKey: false, metaKey: false },
      'window',
    )
  // A Latin layout may have its semicolon anywhere.
  expect([means('a', 'KeyA'), means(';', 'KeyQ')]).toEqual(['combined', null])
  expect([means('α', 'KeyA'), means(';', 'KeyQ')]).toEqual(['combined', 'filter-sidebar'])
  expect([means('ש', 'KeyA'), means("'", 'KeyW')]).toEqual(['combined', 'filter-people'])
  // A sign that has a meaning keeps it.
  expect(means('/', 'KeyQ')).toBe('search')
  expect([means('c', 'KeyC'), means(';', 'KeyQ')]).toEqual(['new-topic', null])
})

/** As a browser reports it: an event has its facts from its class, and none of its own. */
const reported = (key: string, code: string, held: Partial<KeyFacts> = {}): KeyFacts =>
  // What is given is whole.
  Object.create({
    ctrlKey: false,
    altKey: false,
    shiftKey: false,
    metaKey: false,
    ...held,
    key,
    code,
  }) as KeyFacts

test('the place counts with the keys that are held', () => {
  keyBindings.use({ shortcuts: {}, singleKeys: true })
  const means = (...parts: Parameters<typeof reported>) =>
    keyBindings.nameOfKeys(reported(...parts), 'window')
  // Arabic has a bracket at Shift+D.
  means('ش', 'KeyA')
  expect(means(']', 'KeyD', { shiftKey: true })).toBe('next-channel')
  expect(means(';', 'KeyQ', { ctrlKey: true })).toBeNull()
  // Hebrew has Latin capitals with Shift, and is not Latin for that.
  means('ש', 'KeyA')
  means('A', 'KeyA', { shiftKey: true })
  expect(means("'", 'KeyW')).toBe('filter-people')
  means('c', 'KeyC')
})

test('on a Mac, Option with an arrow moves by a word in a text field, and goes back elsewhere', () => {
  class FakeElement {
    readonly tagName = 'TEXTAREA'
  }
  vi.stubGlobal('HTMLElement', FakeElement)
  vi.stubGlobal('HTMLInputElement', class {})
  vi.stubGlobal('HTMLSelectElement', class {})
  const back = (target: unknown) =>
    keyBindings.nameOf(
      Object.assign(reported('ArrowLeft', 'ArrowLeft', { altKey: true }), { target: target as EventTarget }),
      'window',
    )
  expect([back(new FakeElement()), back(null)]).toEqual(['back', 'back'])
  vi.stubGlobal('navigator', { userAgent: 'Macintosh; Intel Mac OS X' })
  expect([back(new FakeElement()), back(null)]).toEqual([null, 'back'])
  vi.unstubAllGlobals()
})

test('digits are pressed without Shift where the layout has signs', () => {
  keyBindings.use({ shortcuts: {}, singleKeys: true })
  const ctrl = (key: string, code: string) =>
    keyBindings.nameOfKeys(reported(key, code, { ctrlKey: true }), 'window')
  expect([ctrl('&', 'Digit1'), ctrl("'", 'Digit4'), ctrl('à', 'Digit0')]).toEqual([
    'organization',
    'organization',
    'all-organizations',
  ])
  // Czech has a plus and French a hyphen there, which zoom elsewhere.
  expect([ctrl('+', 'Digit1'), ctrl('-', 'Digit6'), ctrl('ě', 'Digit2')]).toEqual(
    Array(3).fill('organization'),
  )
  expect([ctrl('+', 'Equal'), ctrl('-', 'Minus'), ctrl('+', 'NumpadAdd')]).toEqual([
    'zoom-in',
    'zoom-out',
    'zoom-in',
  ])
})

describe('the table', () => {
  const all: readonly Shortcut[] = shortcuts
  const named = (name: string) => {
    const found = all.find((one) => one.name === name)
    if (found === undefined) throw new Error(`no ${name}`)
    return found
  }

  test('gives no key two meanings in one place, and no two things one name', () => {
    for (const shortcut of all) {
      for (const chord of shortcut.chords) expect(conflictingShortcut(chord, shortcut, {}), chord).toBeNull()
    }
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  })

  test('keys that write, move the focus or press buttons are not given away', () => {
    expect(
      ['B', 'Shift+B', '?', 'Backspace', 'ArrowUp', 'Ctrl+V', 'Ctrl+Shift+Z', 'Ctrl+ArrowLeft'].map((chord) =>
        dutyOf(chord, named('bold')),
      ),
    ).toEqual(Array.from({ length: 8 }, () => 'writing'))
    expect(
      ['Alt+B', 'Ctrl+Shift+B', 'F8', 'Ctrl+Enter'].map((chord) => dutyOf(chord, named('bold'))),
    ).toEqual([null, null, null, null])
    // Outside a text, a letter is free.
    expect([dutyOf('B', named('inbox')), dutyOf('Ctrl+V', named('inbox'))]).toEqual([null, 'writing'])
    expect([dutyOf('Tab', named('star')), dutyOf('Enter', named('reply-to-message'))]).toEqual([
      'everywhere',
      null,
    ])
    for (const shortcut of all)
      for (const chord of shortcut.chords) expect(dutyOf(chord, shortcut), chord).toBeNull()
  })

  test('chosen keys replace the usual ones, and set those free', () => {
    const chosen = { inbox: ['Ctrl+J'], drafts: [] }
    expect(keysOf(named('inbox'), chosen)).toEqual(['Ctrl+J'])
    expect(keysOf(named('drafts'), chosen)).toEqual([])
    expect(conflictingShortcut('D', named('combined'), chosen)).toBeNull()
    expect(conflictingShortcut('D', named('combined'), {})?.name).toBe('drafts')
    expect(conflictingShortcut('Ctrl+J', named('search'), chosen)?.name).toBe('inbox')
    // A list and the compose box never hear the same key.
    expect(conflictingShortcut('Ctrl+B', named('mark-row-read'), {})).toBeNull()
  })
})

describe('the map that people bring along from other clients', () => {
  /** Keys, where they are pressed and what they do here. */
  const map: readonly (readonly [place: ShortcutPlace, keys: string, name: ShortcutName])[] = [
    ['window', 'R', 'reply'],
    ['feed', 'Enter', 'reply-to-message'],
    ['window', 'C', 'new-topic'],
    ['window', 'X', 'new-direct'],
    ['window', 'Escape', 'step-out'],
    ['window', 'D', 'drafts'],
    ['window', '/', 'search'],
    ['window', 'Ctrl+K', 'palette'],
    ['window', 'Q', 'filter-sidebar'],
    ['window', 'W', 'filter-people'],
    ['window', '?', 'shortcuts'],
    ['feed', 'ArrowUp', 'previous-message'],
    ['feed', 'K', 'previous-message'],
    ['feed', 'ArrowDown', 'next-message'],
    ['feed', 'J', 'next-message'],
    ['feed', 'PageUp', 'previous-page'],
    ['feed', 'Shift+K', 'previous-page'],
    ['feed', 'Shift+Space', 'previous-page'],
    ['feed', 'PageDown', 'next-page'],
    ['feed', 'Shift+J', 'next-page'],
    ['feed', 'Space', 'next-page'],
    ['feed', 'Home', 'first-message'],
    ['feed', 'End', 'last-message'],
    ['feed', 'Shift+G', 'last-message'],
    ['window', 'Alt+ArrowLeft', 'back'],
    ['window', 'Alt+ArrowRight', 'forward'],
    ['window', 'N', 'next-topic'],
    ['window', 'Shift+N', 'next-followed'],
    ['window', 'P', 'next-direct'],
    ['feed', 'S', 'open-conversation'],
    ['window', 'Shift+P', 'directs'],
    ['window', 'Y', 'topics'],
    ['feed', 'Z', 'context'],
    ['window', 'Shift+A', 'previous-channel'],
    ['window', 'Shift+D', 'next-channel'],
    ['window', 'Shift+I', 'inbox'],
    ['window', 'T', 'recent'],
    ['window', 'A', 'combined'],
    ['window', '*', 'starred'],
    ['window', 'Ctrl+.', 'written-to'],
    ['list', 'H', 'previous-in-row'],
    ['list', 'J', 'next-row'],
    ['list', 'K', 'previous-row'],
    ['list', 'L', 'next-in-row'],
    ['list', 'Home', 'first-row'],
    ['list', 'End', 'last-row'],
    ['list', 'PageUp', 'previous-rows'],
    ['list', 'PageDown', 'next-rows'],
    ['feed', '>', 'quote'],
    ['feed', '<', 'forward-message'],
    ['feed', 'Shift+R', 'reply-direct'],
    ['feed', '@', 'mention'],
    ['feed', 'ArrowLeft', 'edit-last'],
    ['compose', 'Ctrl+Enter', 'send'],
    ['compose', 'Ctrl+B', 'bold'],
    ['compose', 'Ctrl+I', 'italic'],
    ['compose', 'Ctrl+Shift+L', 'link'],
    ['compose', 'Ctrl+Shift+C', 'code'],
    ['compose', "Ctrl+'", 'snippets'],
    ['compose', 'Alt+P', 'preview'],
    ['feed', 'I', 'menu'],
    ['feed', 'E', 'edit'],
    ['feed', 'U', 'sender-profile'],
    ['feed', 'Shift+V', 'readers'],
    ['feed', 'V', 'show-picture'],
    ['feed', 'M', 'move'],
    ['feed', 'Shift+H', 'history'],
    ['feed', 'Ctrl+S', 'star'],
    ['feed', ':', 'choose-emoji'],
    ['feed', '=', 'first-reaction'],
    ['feed', '+', 'thumbs-up'],
    ['feed', 'Shift+U', 'unread-from-here'],
    ['feed', '-', 'collapse'],
    ['feed', 'Shift+M', 'visibility'],
    ['list', 'Shift+M', 'mute-row'],
    ['feed', 'L', 'copy-link'],
    ['feed', 'Ctrl+C', 'copy-text'],
    ['window', 'G', 'account-menu'],
    ['window', 'Shift+Y', 'set-status'],
    ['list', 'Backspace', 'delete-row'],
    ['conflict', 'F7', 'next-difference'],
    ['conflict', 'Shift+F7', 'previous-difference'],
    ['conflict', '1', 'choose-local'],
    ['conflict', '2', 'choose-remote'],
    ['conflict', '3', 'choose-both'],
    ['channels', 'N', 'new-channel'],
    ['channels', 'Shift+V', 'view-channel'],
    ['channels', 'Shift+S', 'toggle-subscription'],
    ['window', 'Ctrl+Shift+N', 'add-organization'],
    ['window', 'Ctrl+1', 'organization'],
    ['window', 'Ctrl+9', 'organization'],
    ['window', 'Ctrl+Tab', 'next-organization'],
    ['window', 'Ctrl+Shift+Tab', 'previous-organization'],
    ['window', 'Ctrl+,', 'settings'],
    ['window', 'Ctrl+Shift+K', 'shortcuts'],
    ['window', 'Ctrl+Shift+M', 'pause-notifications'],
    ['window', 'Ctrl+R', 'reload'],
    ['window', 'F5', 'reload'],
    ['window', 'Ctrl+=', 'zoom-in'],
    ['window', 'Ctrl+-', 'zoom-out'],
    ['window', 'Ctrl+F', 'find'],
    // What these do elsewhere has other keys here: Ctrl+[ goes back as in a browser, except while a message is written,
    // which it closes like Esc; Ctrl+Shift+S is about what waits for the server; Ctrl+0 is all organizations, and Ctrl+Shift+R a topic
    // that is settled.
    ['window', 'Ctrl+[', 'back'],
    ['window', 'Ctrl+Shift+S', 'sync-panel'],
    ['window', 'Ctrl+0', 'all-organizations'],
    ['window', 'Ctrl+Alt+0', 'zoom-reset'],
    ['feed', 'Ctrl+Shift+R', 'resolve'],
  ]
  test.each(map)('in the %s, %s is %s', (place, keys, name) => {
    const shortcut = shortcuts.find((one) => one.name === name)
    expect(shortcut?.place).toBe(place)
    expect(shortcut?.chords).toContain(keys)
  })
})

describe('the keys of this window', () => {
  /** What a keyboard reports for a chord; letters as the keyboard writes them. */
  const eventOf = (chord: string, letters: (latin: string) => string = (latin) => latin) => {
    const base = /(?:^|\+)(\+|[^+]+)$/.exec(chord)?.[1] ?? chord
    const isLetter = /^[A-Z]$/.test(base)
    return {
      key: isLetter ? letters(base) : base === 'Space' ? ' ' : base,
      code: isLetter ? `Key${base}` : /^\d$/.test(base) ? `Digit${base}` : '',
      ctrlKey: /Ctrl\+/.test(chord),
      altKey: /Alt\+/.test(chord),
      shiftKey: /Shift\+/.test(chord),
      metaKey: false,
    }
  }
  const usual = { shortcuts: {}, singleKeys: true }
  const all: readonly Shortcut[] = shortcuts

  test('every one can be changed, and set back', () => {
    const other = 'Ctrl+Alt+Shift+F9'
    for (const shortcut of all.filter(({ isFixed }) => isFixed !== true)) {
      keyBindings.use({ shortcuts: { [shortcut.name]: [other] }, singleKeys: true })
      expect(keyBindings.nameOfKeys(eventOf(other), shortcut.place)).toBe(shortcut.name)
      for (const chord of shortcut.chords)
        expect(keyBindings.nameOfKeys(eventOf(chord), shortcut.place), chord).toBeNull()
      keyBindings.use(usual)
      expect(keyBindings.nameOfKeys(eventOf(other), shortcut.place)).toBeNull()
      for (const chord of shortcut.chords)
        expect(keyBindings.nameOfKeys(eventOf(chord), shortcut.place), chord).toBe(shortcut.name)
    }
  })

  test('those that each lead to one organization can be switched off, and not replaced', () => {
    const ctrl5 = () => keyBindings.nameOfKeys(eventOf('Ctrl+5'), 'window')
    keyBindings.use({ shortcuts: { organization: ['Ctrl+Alt+O'] }, singleKeys: true })
    expect([ctrl5(), keyBindings.nameOfKeys(eventOf('Ctrl+Alt+O'), 'window')]).toEqual(['organization', null])
    keyBindings.use({ shortcuts: { organization: [] }, singleKeys: true })
    expect(ctrl5()).toBeNull()
    keyBindings.use(usual)
  })

  test('while a question is open, nothing leads away from it', () => {
    const done: string[] = []
    let hear: (event: unknown) => void = () => {}
    vi.stubGlobal('HTMLElement', class {})
    vi.stubGlobal('addEventListener', (_: string, listener: typeof hear) => (hear = listener))
    vi.stubGlobal('removeEventListener', () => {})
    const press = (chord: string) => {
      const event = { ...eventOf(chord), target: null, defaultPrevented: false, preventDefault() {} }
      hear(event)
      return listKey(event as unknown as KeyboardEvent)
    }
    const stop = listenToKeys({ 'next-topic': () => done.push('next'), reload: () => done.push('reload') })
    const shown = (role: string | null) =>
      vi.stubGlobal('document', {
        querySelector: (selector: string) => (role !== null && selector.includes(`"${role}"`) ? {} : null),
      })
    for (const role of ['dialog', 'alertdialog', 'menu']) {
      shown(role)
      expect([press('N'), press('J'), press('F5')], role).toEqual([null, null, null])
    }
    expect(done).toEqual(['reload', 'reload', 'reload'])
    shown(null)
    expect([press('N'), press('J')]).toEqual([null, 'next-row'])
    expect(done.at(-1)).toBe('next')
    stop()
    vi.unstubAllGlobals()
  })

  test('Esc and Ctrl+[ close what is being written, unless that key was given to something else', () => {
    const closes = () =>
      ['Escape', 'Ctrl+[', 'Alt+ArrowLeft'].map((keys) => keyBindings.closesBox(eventOf(keys)))
    keyBindings.use(usual)
    expect(closes()).toEqual([true, true, false])
    keyBindings.use({ shortcuts: { back: ['Alt+ArrowLeft'] }, singleKeys: true })
    expect(closes()).toEqual([true, true, false])
    for (const name of ['bold', 'search']) {
      keyBindings.use({ shortcuts: { back: [], [name]: ['Ctrl+['] }, singleKeys: true })
      expect(closes(), name).toEqual([true, false, false])
    }
    keyBindings.use(usual)
  })

  test('every one works on keyboards of Cyrillic and Greek letters', () => {
    const cyrillic = 'фисвуапршолдьтщзйкыегмцчня'
    const greek = 'αβψδεφγηιξκλμνοπ;ρστθωςχυζ'
    const letterOf = (letters: string) => (latin: string) => letters[latin.charCodeAt(0) - 65] ?? latin
    keyBindings.use(usual)
    for (const letters of [cyrillic, greek])
      for (const { name, place, chords } of all)
        for (const chord of chords.filter((one) => !/(^|\+)Q$/.test(one) || letters === cyrillic))
          expect(keyBindings.nameOfKeys(eventOf(chord, letterOf(letters)), place), chord).toBe(name)
  })

  test('without single keys, only those act that write nothing, and no others are named', () => {
    keyBindings.use({ shortcuts: {}, singleKeys: false })
    for (const { name, place, chords } of all) {
      const acting = chords.filter((chord) => !isSingleKey(chord) || place === 'compose')
      for (const chord of chords)
        expect(keyBindings.nameOfKeys(eventOf(chord), place), chord).toBe(
          acting.includes(chord) ? name : null,
        )
      expect(keyBindings.keysOf(name)).toEqual(acting)
    }
    keyBindings.use(usual)
  })
})

describe('where to go next', () => {
  const topic = (name: string): Conversation => ({ kind: 'topic', channelId: channelId(1), topic: name })
  const row = (conversation: Conversation): InboxRow => ({
    conversation,
    label: { kind: 'direct', userIds: [], names: [], avatarUrl: null },
    unreadCount: 1,
    hasMention: false,
    newestMessageId: messageId(1),
    newestAt: 0,
    newestSender: '',
    newestText: '',
    people: [],
  })
  const direct: Conversation = { kind: 'direct', userIds: [userId(7)] }
  // Only what is read by name is looked at.
  const inboxOf = (topics: readonly string[]) =>
    ({
      directs: topics.length === 0 ? [] : [row(direct)],
      folders: [{ key: 'a', name: 'a', channels: [{ topics: topics.map((name) => row(topic(name))) }] }],
    }) as unknown as Inbox
  const inbox = inboxOf(['x', 'y', 'z'])

  test('the unread topics come one after another, and round again', () => {
    const next = (kind: 'topic' | 'direct', open: Narrow | null) =>
      nextUnread(inbox, kind, { open, before: null })
    expect(next('topic', null)).toEqual(topic('x'))
    expect(next('topic', topic('x'))).toEqual(topic('y'))
    expect(next('topic', topic('z'))).toEqual(topic('x'))
    expect(next('direct', null)).toEqual(direct)
    expect(next('direct', { kind: 'direct', userIds: [userId(7)] })).toBeNull()
    expect(nextUnread(inboxOf([]), 'topic', { open: null, before: null })).toBeNull()
  })

  test('after an unread topic that was read comes the one that stood below it', () => {
    const next = (open: string, before: string[], now: string[]) =>
      nextUnread(inboxOf(now), 'topic', { open: topic(open), before: inboxOf(before) })
    expect(next('y', ['x', 'y', 'z'], ['x', 'z'])).toEqual(topic('z'))
    // What stood below it was read, too.
    expect(next('y', ['x', 'y', 'z', 'w'], ['x', 'w'])).toEqual(topic('w'))
    expect(next('z', ['x', 'y', 'z'], ['x', 'y'])).toEqual(topic('x'))
    // Nothing is left of what was listed.
    expect(next('y', ['x', 'y'], ['new'])).toEqual(topic('new'))
    // It is still listed, and no other is.
    expect(next('y', ['x', 'y'], ['y'])).toBeNull()
    // It was opened from elsewhere.
    expect(next('elsewhere', ['x', 'y'], ['y', 'z'])).toEqual(topic('y'))
  })

  test('a channel that takes time to be found is not gone to from elsewhere', async () => {
    const inbox: Route = { view: 'inbox', accountId: accountId('1') }
    const location = { hash: `#${addressOf(inbox)}` }
    vi.stubGlobal('location', location)
    const asked: string[] = []
    const answers: Record<string, unknown> = {
      sidebar: { folders: [{ channels: [{ channelId: 4 }] }] },
      'account-settings': { channelView: 'feed' },
    }
    const bridge = {
      watch(name: string, _: unknown, hear: (value: unknown) => void) {
        asked.push(name)
        setImmediate(() => hear(answers[name]))
        return () => {}
      },
    } as unknown as Bridge
    const account = { id: accountId('1') } as Account
    const acts = goingPlaces({ bridge, account, current: () => inbox, home: () => inbox })
    const next = async () => {
      asked.length = 0
      acts['next-channel']()
      await vi.waitFor(() => expect(asked).toEqual(['sidebar', 'account-settings']))
    }
    const found = next()
    location.hash = '#elsewhere'
    await found
    await new Promise(setImmediate)
    expect(location.hash).toBe('#elsewhere')
    await next()
    await vi.waitFor(() => expect(location.hash).toMatch(/channel\/4$/))
    vi.unstubAllGlobals()
  })

  test('channels follow the sidebar', () => {
    const sidebar = {
      folders: [{ channels: [{ channelId: 4 }, { channelId: 2 }] }, { channels: [{ channelId: 9 }] }],
    } as unknown as Sidebar
    expect(channelBeside(sidebar, null, 1)).toBe(4)
    expect(channelBeside(sidebar, null, -1)).toBe(9)
    expect(channelBeside(sidebar, channelId(2), 1)).toBe(9)
    expect(channelBeside(sidebar, channelId(9), 1)).toBe(4)
    // A channel that is not in the sidebar.
    expect(channelBeside(sidebar, channelId(77), 1)).toBe(4)
    expect(channelBeside(sidebar, channelId(77), -1)).toBe(9)
    expect(channelBeside({ ...sidebar, folders: [] }, null, 1)).toBeNull()
    expect(channelBeside({ ...sidebar, folders: [] }, null, -1)).toBeNull()
  })
})
