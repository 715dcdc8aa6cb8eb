import { describe, expect, test } from 'vitest'
import { settingsPages } from '../../src-renderer/state/navigation/settings-pages.ts'
import { clocksDiffer } from '../../src-renderer/time.ts'
import { lineScaleOf, textScaleOf } from '../../src-renderer/state/appearance/text-scale.ts'
import { previewAddresses } from '../../src-renderer/views/feed/preview-addresses.ts'
import { findRows, settingSections } from '../../src-renderer/views/settings/setting-rows.ts'
import { sizeWords } from '../../src-renderer/sizes.ts'
import { settingNames } from '../../src-shared/bridge/settings.ts'

const rows = settingsPages.flatMap((page) => settingSections(page).flatMap((section) => section.rows))
const titles = (text: string) => findRows(text, settingsPages).map(({ row }) => row.title)

describe('finding a setting', () => {
  test('by title, help, choice or another word; all words have to fit', () => {
    expect(titles('dark')[0]).toBe('Theme')
    expect(titles('gif')).toEqual(['Animated pictures'])
    expect(titles('only when you choose to')).toEqual(['Mark messages as read'])
    expect(titles('EMAIL delay')).toEqual(['Wait before sending email'])
    expect(titles('reactions xyz')).toEqual([])
    expect(titles('  ')).toEqual([])
  })

  test('what is called so comes first', () => {
    expect(titles('density')[0]).toBe('Density')
    expect(titles('notifications')[0]).toBe('Notifications')
  })

  test('on the pages that are there', () => {
    expect(findRows('tray', ['appearance'])).toEqual([])
  })
})

test('every row has a name of its own on its page, and a title', () => {
  const names = rows.map(({ scope, name }) => `${scope}/${name}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  expect(rows.filter(({ title }) => title.trim() === '')).toEqual([])
})

test('every setting of the account can be reached, but those that mean nothing here', () => {
  const shown = new Set<string>(rows.map(({ name }) => name))
  const inTable = settingNames.filter((name) =>
    /^(personal|followed|channel)(Desktop|Sound|Mobile|Email)$/.test(name),
  )
  expect(settingNames.filter((name) => !shown.has(name) && !inTable.includes(name))).toEqual([
    'notificationSound',
  ])
})

test('a choice names every value of its setting', () => {
  for (const row of rows) {
    if (row.kind !== 'choice') continue
    expect(new Set(row.choices.map(({ value }) => value)).size, row.title).toBe(row.choices.length)
    expect(row.choices.length, row.title).toBeGreaterThan(1)
  }
})

test('text grows from what the service calls 16, what is around it half as much', () => {
  expect(textScaleOf(16)).toEqual({ text: 1, ui: 1 })
  expect(textScaleOf(19).text).toBeCloseTo(17.5 / 14.5)
  expect(textScaleOf(19).ui).toBeCloseTo((1 + 17.5 / 14.5) / 2)
  expect(textScaleOf(400).text).toBe(2)
  expect(lineScaleOf(140)).toBe(1)
  expect(lineScaleOf(0)).toBe(0.6)
})

test('sizes in words', () => {
  expect([12, 640_400, 12_400_000, 3_100_000_000].map(sizeWords)).toEqual([
    '12 B',
    '640 KB',
    '12.4 MB',
    '3.1 GB',
  ])
})

test('zones differ where their clocks do at that moment', () => {
  const [winter, summer] = [Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 6, 15, 12)]
  expect(clocksDiffer('Europe/Oslo', 'Asia/Tokyo', winter)).toBe(true)
  expect(clocksDiffer('Europe/Oslo', 'Europe/Berlin', winter)).toBe(false)
  expect(clocksDiffer('Africa/Lagos', 'Europe/Berlin', winter)).toBe(false)
  expect(clocksDiffer('Africa/Lagos', 'Europe/Berlin', summer)).toBe(true)
  expect(clocksDiffer('', 'Europe/Berlin', winter)).toBe(false)
  expect(clocksDiffer('Mars/Olympus', 'Europe/Berlin', winter)).toBe(false)
})

test('a moving preview has an address where it stands still', () => {
  const moving = '/media/a?url=%2Fuser_uploads%2Fthumbnail%2F2%2Fab%2Fx%2Fwave.gif%2F840x560-anim.webp'
  expect(previewAddresses(moving)).toEqual({ moving, still: moving.replace('-anim', '') })
  expect(previewAddresses('/media/a?url=%2F840x560.webp')).toBeNull()
})
