import { emojiCodeByName } from '../../src-shared/markdown/emoji.ts'
import { fieldKinds, profileField, setProfileValue } from '../organization/profile-fields.ts'
import type { Workspace } from '../workspace.ts'

/** The profile fields of this organization. */
const fields = [
  { kind: fieldKinds.PRONOUNS, name: 'Pronouns' },
  { kind: fieldKinds.SHORT_TEXT, name: 'Based at' },
  { kind: fieldKinds.SHORT_TEXT, name: 'Works on' },
  { kind: fieldKinds.SHORT_TEXT, name: 'Radio' },
  { kind: fieldKinds.DATE, name: 'First aid until' },
  { kind: fieldKinds.USER, name: 'Stands in' },
  { kind: fieldKinds.SELECT, name: 'Usual watch', hint: 'When you are easiest to reach' },
  { kind: fieldKinds.URL, name: 'Field notebook' },
  { kind: fieldKinds.LONG_TEXT, name: 'About me' },
] as const

const watches = {
  early: { text: 'Early tide', order: '1' },
  late: { text: 'Late tide', order: '2' },
  shore: { text: 'Ashore, office hours', order: '3' },
}

/** Values in the order of the fields; empty for a field without a value, and a key for the person who stands in. */
const values: readonly (readonly [key: string, ...string[]])[] = [
  [
    'maren',
    'she, her',
    'Holm',
    'Roosts, coordination',
    'Channel 8, call sign Sanderling',
    '2027-03-01',
    'hanne',
  ],
  [
    'keiko',
    'she, her',
    'Ness field station',
    'Gauges, calibration, datums',
    'Channel 8, call sign Curlew',
    '2027-03-01',
    'tomasz',
  ],
  ['tomasz', 'he, him', 'Ness field station', 'Loggers, power, anything soldered', '', '', 'keiko'],
  [
    'odhran',
    'he, him',
    'The launch',
    'Boats and moorings',
    'Channel 8, call sign Gannet',
    '2026-11-30',
    'yusuf',
  ],
  ['ines', '', 'Holm', 'Mud cores', '', '', ''],
  ['priya', 'she, her', 'Far away, mostly', 'Pipeline', '', '', 'lucian'],
  ['solveig', 'they, them', 'The hide', 'Counts', 'Channel 8, call sign Knot', '', ''],
]

const statuses = [
  ['keiko', 'At the north hut, radio is better than chat', 'rainy'],
  ['odhran', 'On the boat', 'boat'],
  ['beatriz', 'Back at 15:00', 'coffee'],
  ['solveig', 'At the hide', 'bird'],
  ['aroha', 'Asleep', 'zzz'],
] as const

/** Gives the people of the demo profile values, and some of them a status. */
export function addProfiles(workspace: Workspace, userId: (key: string) => number): void {
  const { db } = workspace
  for (const [position, { kind, name, ...more }] of fields.entries()) {
    db.run(
      `INSERT INTO profile_fields (field_type, name, hint, field_data, position, is_in_summary, is_required, is_editable)
       VALUES (?, ?, ?, ?, ?, 0, 0, 1)`,
      kind.id,
      name,
      'hint' in more ? more.hint : '',
      kind === fieldKinds.SELECT ? JSON.stringify(watches) : '',
      position,
    )
  }
  for (const [key, ...said] of values) {
    for (const [index, text] of said.entries()) {
      const field = profileField(workspace, index + 1)
      if (text !== '')
        setProfileValue(
          workspace,
          userId(key),
          field,
          field.field_type === fieldKinds.USER.id ? [userId(text)] : text,
        )
    }
  }
  for (const [key, text, emoji] of statuses) {
    db.run(
      `INSERT INTO user_status VALUES (?, ?, ?, ?, 'unicode_emoji')`,
      userId(key),
      text,
      emoji,
      emojiCodeByName(emoji) ?? '',
    )
  }
}
