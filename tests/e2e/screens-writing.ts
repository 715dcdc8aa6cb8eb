import { t } from '../../src-shared/texts/texts.ts'
import { goTo } from './browser.ts'
import { clear, field, heading, onInbox, onTopic, type Screens } from './screen-ways.ts'
import type { Stage } from './stage.ts'

/** Creates scheduled messages and reminders from another client of the person; only once. */
async function planAhead(stage: Stage): Promise<void> {
  await clear(stage.page)
  // The envelopes of the service's own answers.
  const kept = (await stage.ask('GET', '/scheduled_messages')) as { scheduled_messages: unknown[] }
  if (kept.scheduled_messages.length > 0) return
  const at = (days: number, hour: number) =>
    String(Math.round(new Date(new Date().setHours(hour + 24 * days, 0, 0, 0)).getTime() / 1_000))
  const gaugeTopic = { type: 'stream', to: '1', topic: 'gauge 4 offset drift' }
  for (const [days, hour, content] of [
    [1, 9, 'Low water is at **06:40**, so we leave at five. Who has the keys of the hut?'],
    [1, 18, 'Thanks everybody, the clamp is on.'],
    [
      4,
      8,
      'Reminder: the rota for June is open until Friday. Please put your names in, and say if you need the van.',
    ],
    [40, 12, 'Half a year with the new gauge today.'],
  ] as const)
    await stage.ask('POST', '/scheduled_messages', {
      ...gaugeTopic,
      content,
      scheduled_delivery_timestamp: at(days, hour),
    })
  const newest = { anchor: 'newest', num_before: 3, num_after: 0, narrow: '[]' }
  const recent = (await stage.ask('GET', '/messages', newest)) as {
    messages: { id: number }[]
  }
  for (const [index, { id }] of recent.messages.entries())
    await stage.ask('POST', '/reminders', {
      message_id: String(id),
      scheduled_delivery_timestamp: at(1 + index, 9),
      ...(index === 1 ? { note: 'Ask about the van before saying yes.' } : {}),
    })
}

/** Screens for writing, for waiting messages, and for messages to come back to. */
/** The stages on which a draft was deleted. Other screens may end drafts too. */
const withDeletedDraft = new WeakSet<Stage>()

export const writingScreens: Screens = {
  'writing-completions': onTopic(async (page) => {
    await field(page).fill('')
    await field(page).pressSequentially('@k')
    await page.getByRole('listbox', { name: t.compose.suggestions.name }).waitFor()
  }),
  'writing-preview': onTopic(async (page) => {
    await field(page).fill('@**all** and `code`')
    const beside = page.getByRole('button', { name: t.compose.modes.both })
    await (
      (await beside.count()) > 0
        ? beside
        : page.getByRole('button', { name: t.compose.modes.preview, exact: true })
    ).click()
    await page.getByRole('region', { name: t.compose.preview.name }).locator('code').waitFor()
  }),
  'message-formatting': onTopic(async (page) => {
    const button = page.getByRole('toolbar').getByRole('button', { name: t.formatting.title })
    if (await button.isVisible()) await button.click()
    else {
      await page.getByRole('toolbar').getByRole('button', { name: t.compose.moreFormatting }).click()
      await page.getByRole('menuitem', { name: t.formatting.title }).click()
    }
    await page.getByRole('dialog', { name: t.formatting.title }).locator('table').waitFor()
  }),
  'writing-warnings': onTopic(async (page) => {
    await field(page).fill('@**all** we are back')
    await page.getByRole('button', { name: t.compose.noteActs.silence }).waitFor()
  }),
  'new-topic': onInbox(async (page) => {
    await page.getByRole('button', { name: t.mainWindow.sidebar.newMessage }).click()
    await page.getByRole('combobox', { name: t.compose.channel }).fill('n')
    await page.getByRole('listbox', { name: t.compose.suggestions.name }).waitFor()
  }),
  'new-direct-message': onInbox(async (page) => {
    await page.getByRole('button', { name: t.mainWindow.sidebar.newDirect }).first().click()
    await page.getByRole('combobox', { name: t.compose.addSomeone }).fill('kei')
    await page.getByRole('option', { name: /Keiko/ }).click()
    await page.getByRole('button', { name: t.compose.removePerson('Keiko Tamura') }).waitFor()
  }),
  'emoji-picker': onTopic(async (page) => {
    await page.getByRole('toolbar').getByRole('button', { name: t.compose.emoji }).click()
    await page.getByRole('gridcell').first().waitFor()
  }),
  snippets: onTopic(async (page) => {
    await field(page).press("Control+'")
    await page.getByRole('dialog', { name: t.compose.snippets.name }).waitFor()
  }),
  'making-a-poll': onTopic(async (page) => {
    await field(page).fill('/po')
    await page.getByRole('listbox', { name: t.compose.suggestions.name }).waitFor()
    await field(page).press('Enter')
    const dialog = page.getByRole('dialog', { name: t.compose.widget.poll.name })
    await dialog.getByLabel(t.compose.widget.poll.title).fill('Thursday or Friday?')
  }),
  'making-a-list': onTopic(async (page) => {
    await field(page).fill('/to')
    await page.getByRole('listbox', { name: t.compose.suggestions.name }).waitFor()
    await field(page).press('Enter')
    await page.getByRole('dialog', { name: t.compose.widget.todo.name }).waitFor()
  }),
  'ways-to-send': onTopic(async (page) => {
    await page.getByRole('button', { name: t.compose.moreWaysToSend }).click()
    await page.getByRole('menu').waitFor()
  }),
  'your-status': onInbox(async (page) => {
    await page.keyboard.press('Shift+Y')
    await page.getByRole('dialog', { name: t.profile.status.title }).waitFor()
  }),
  'drafts-and-outbox': async ({ page }) => {
    await clear(page)
    await goTo(page, 'drafts')
    await heading(page, t.drafts.name)
  },
  'drafts-deleted': async (stage) => {
    const { page } = stage
    await clear(page)
    await goTo(page, 'drafts')
    await heading(page, t.drafts.name)
    const content = 'Who has the spare clamp?'
    if (!withDeletedDraft.has(stage)) {
      withDeletedDraft.add(stage)
      const draft = {
        type: 'stream',
        to: [1],
        topic: 'gauge 4 offset drift',
        content,
        timestamp: 1_700_000_000,
      }
      // The envelope of the service's own answer.
      const made = (await stage.ask('POST', '/drafts', { drafts: JSON.stringify([draft]) })) as {
        ids: number[]
      }
      await page.getByText(content).waitFor()
      await stage.ask('DELETE', `/drafts/${made.ids[0]}`)
    }
    await page.getByRole('button', { name: t.drafts.ended.title, expanded: false }).click()
    await page.locator('.ended', { hasText: content }).waitFor()
  },
  scheduled: async (stage) => {
    await planAhead(stage)
    await goTo(stage.page, 'scheduled')
    await stage.page.locator('.later-row').nth(3).waitFor()
  },
  'scheduled-change': async ({ page }) => {
    await clear(page)
    await goTo(page, 'scheduled')
    await page.locator('.later-row button').first().click()
    await page.getByRole('dialog', { name: t.later.scheduled.editTitle }).waitFor()
  },
  reminders: async (stage) => {
    await planAhead(stage)
    await goTo(stage.page, 'reminders')
    await stage.page.locator('.later-row').nth(2).waitFor()
  },
  'reminder-change': async ({ page }) => {
    await clear(page)
    await goTo(page, 'reminders')
    await page.locator('.later-row').first().getByRole('button', { name: t.later.reminders.edit }).click()
    await page.getByRole('dialog', { name: t.later.reminders.editTitle }).waitFor()
  },
}
