import type { BrowserContextOptions, Page } from 'playwright-core'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import { languageFor, speak, t } from '../../src-shared/texts/texts.ts'
import { openDevice } from '../support/device.ts'
import { enterAccount, goTo } from './browser.ts'
import type { Stage } from './stage.ts'

/** The window of screens: nothing moves in it by itself. */
export const stillWindow: BrowserContextOptions = { reducedMotion: 'reduce' }

const gauge = topicConversation(1, 'gauge 4 offset drift')
const gaugePlace = 'channel/1/topic/gauge%204%20offset%20drift'

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1, exact: true }).first().waitFor()
const field = (page: Page) => page.getByLabel(t.compose.message, { exact: true })

/** Closes what lies over the window, and what was being written. */
async function clear(page: Page): Promise<void> {
  const close = page.getByRole('button', { name: t.compose.closeKeepingDraft })
  for (let tries = 0; tries < 3; tries++) await page.keyboard.press('Escape')
  if ((await close.count()) > 0) await close.click()
  await page.mouse.move(0, 0)
  if (!page.url().endsWith('#/all')) return
  await page.keyboard.press('Control+1')
  await page.getByTestId('sync-pill').waitFor()
}

async function openInbox({ page }: Stage): Promise<void> {
  await clear(page)
  await goTo(page, 'inbox')
  await heading(page, t.inbox.name)
}

async function openTopic({ page }: Stage): Promise<void> {
  await clear(page)
  await goTo(page, gaugePlace)
  await page.locator('.msg').first().waitFor()
  await page.getByRole('log').or(page.locator('.feed')).first().waitFor()
}

const feed = (place: string) => async (stage: Stage) => {
  await clear(stage.page)
  await goTo(stage.page, place)
  await stage.page.locator('.msg').first().waitFor()
}
const settings = (page: string) => async (stage: Stage) => {
  await clear(stage.page)
  await goTo(stage.page, `settings/${page}`)
  await stage.page.locator('main h1, main h2').first().waitFor()
}
const channels = (place: string) => async (stage: Stage) => {
  const { page } = stage
  await openTopic(stage)
  await goTo(page, `channels/${place}`)
  const dialog = page.getByRole('dialog', { name: t.channels.title })
  await dialog.locator('.clr:visible, [role="tabpanel"]:visible').first().waitFor()
}
/** The parts of a channel as those see it who may change it. */
const settledChannel = (part: string) => async (stage: Stage) => {
  const holders = { direct_members: [stage.own.user_id], direct_subgroups: [] }
  const administer = JSON.stringify({ new: holders })
  await stage.ask('PATCH', '/streams/2', { can_administer_channel_group: administer }, stage.other)
  await channels(`2/${part}`)(stage)
}
const onTopic = (then: (page: Page) => Promise<unknown>) => async (stage: Stage) => {
  await openTopic(stage)
  await then(stage.page)
}
const onInbox = (then: (page: Page) => Promise<unknown>) => async (stage: Stage) => {
  await openInbox(stage)
  await then(stage.page)
}

/** Messages to be sent and to come back to, as another client of the person plans them; once. */
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

async function goOffline(stage: Stage): Promise<void> {
  await stage.stopService()
  await stage.page.locator('.sync.off[data-testid="sync-pill"]').waitFor({ timeout: 60_000 })
}

/** One draft is edited at the same place on two devices that do not hear of each other. */
async function quarrel(stage: Stage): Promise<void> {
  const { page } = stage
  const text = 'The gauge drifts by four millimetres a week. We should look at the clamp before Friday.'
  await openTopic(stage)
  await field(page).fill(text)
  const spoken = languageFor([t.locale])
  const second = await openDevice(stage.service.baseUrl, {
    email: stage.own.email,
    apiKey: stage.own.api_key,
  })
  // The device in this process speaks its own language.
  await speak(spoken)
  const { accountId } = second
  const there = await second.until(
    'conversation-draft',
    { accountId, conversation: gauge },
    (draft) => draft?.content === text,
  )
  await goOffline(stage)
  await field(page).fill(text.replace('Friday', 'Thursday'))
  await page.getByTestId('draft-state').getByText(t.compose.draft.local).waitFor()
  await stage.stopApp()
  const mondays = text.replace('Friday', 'Monday')
  await second.bridge.call('save-draft', {
    accountId,
    draftId: there?.id ?? null,
    draft: { recipient: gauge, content: mondays },
  })
  await stage.startService()
  await second.bridge.call('try-now', { accountId })
  await second.until(
    'conversation-draft',
    { accountId, conversation: gauge },
    (draft) => draft?.state === 'synced' && draft.content === mondays,
  )
  await second.close()
  await stage.startApp()
  await openTopic(stage)
}

/**
 * Every screen and every state of one that looks different, by name, in the order in which they build on each other.
 * Each brings the window there from wherever it is, and ends when what matters is to be seen.
 */
export const screens: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  'sign-in': async ({ page }) => page.getByLabel(t.signIn.address).waitFor(),
  'sign-in-wrong-address': async ({ page }) => {
    await page.getByLabel(t.signIn.address).fill('127.0.0.1:9')
    await page.getByRole('button', { name: t.signIn.continue }).click()
    await page.getByRole('alert').waitFor()
  },
  'sign-in-password': async (stage) => {
    await stage.page.reload()
    await enterAccount(stage.page, stage.service.baseUrl, stage.own)
  },
  inbox: async (stage) => {
    await stage.page.reload()
    const address = stage.page.getByLabel(t.signIn.address)
    await address.or(stage.page.locator('nav.sb')).first().waitFor()
    if ((await address.count()) > 0) await stage.signIn()
    await openInbox(stage)
    await stage.page.locator('.ir').first().waitFor()
  },
  'recent-conversations': async (stage) => {
    await clear(stage.page)
    await goTo(stage.page, 'recent')
    await stage.page.locator('.rr').first().waitFor()
  },
  'combined-feed': feed('combined'),
  mentions: feed('mentions'),
  starred: feed('starred'),
  channel: feed('channel/1'),
  'topics-of-a-channel': async ({ page }) => {
    await clear(page)
    await goTo(page, 'channel/1/topics')
    await page.getByRole('list', { name: t.topics.name }).getByRole('link').first().waitFor()
  },
  'all-direct-messages': feed('directs'),
  topic: openTopic,
  'find-in-a-topic': onTopic(async (page) => {
    await page.keyboard.press('Control+f')
    await page.getByRole('textbox', { name: t.feed.find.name }).fill('gauge')
    await page.locator('.msg.linked').waitFor()
  }),
  'direct-message': onInbox(async (page) => {
    await page.locator('nav.sb a[href*="/direct/"]').first().click()
    await page.locator('.msg').first().waitFor()
  }),
  'topic-menu': onTopic(async (page) => {
    await page.locator('.rb').getByRole('button', { name: t.placeMenu.names.topic }).click()
    await page.getByRole('menu').waitFor()
  }),
  'channel-menu': onInbox(async (page) => {
    await page.locator('nav.sb a[href$="/channel/1"]').click({ button: 'right' })
    await page.getByRole('menu').waitFor()
  }),
  'sidebar-filtered': onInbox(async (page) => {
    await page.keyboard.press('q')
    await page.getByLabel(t.mainWindow.sidebar.filterWhat).fill('ga')
    await page.locator('nav.sb a[aria-level="3"]').first().waitFor()
  }),
  'message-menu': onTopic(async (page) => {
    await page.locator('.msg').last().hover()
    await page.locator('.msg').last().focus()
    await page.keyboard.press('i')
    await page.getByRole('menu').waitFor()
  }),
  'renaming-a-topic': onTopic(async (page) => {
    await page.getByRole('button', { name: t.feed.topic.rename }).first().press('Enter')
    await page.getByRole('textbox', { name: t.feed.rename.name }).waitFor()
  }),
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
  'card-of-a-person': onTopic(async (page) => {
    await page.locator('.msg .who .name', { hasText: 'Keiko' }).first().click()
    await page.getByRole('dialog', { name: 'Keiko Tamura' }).waitFor()
  }),
  'card-of-a-group': onTopic(async (page) => {
    await page.locator('.msg .who .name', { hasText: 'Keiko' }).first().click()
    await page.getByRole('button', { name: '@gauge-team' }).click()
    await page.getByRole('dialog', { name: 'gauge-team' }).waitFor()
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
  'last-starred': async ({ page }) => {
    await clear(page)
    await goTo(page, 'last-starred')
    await page.locator('.later-row').first().waitFor()
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
  search: async ({ page }) => {
    await clear(page)
    await goTo(page, 'search?text=drift')
    await page.locator('mark').first().waitFor()
  },
  'keeping-a-search': async ({ page }) => {
    await clear(page)
    await goTo(page, 'search?text=drift')
    const kept = page.getByRole('button', { name: t.search.saved.keptAs('drift') })
    await page.getByRole('button', { name: t.search.saved.keep }).or(kept).click()
    await page.getByRole('textbox', { name: t.search.saved.name }).press('Enter')
    await page.locator('nav.sb').getByRole('link', { name: 'drift', exact: true }).waitFor()
    await kept.click()
    await page.getByRole('textbox', { name: t.search.saved.name }).waitFor()
  },
  palette: onInbox(async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
  }),
  shortcuts: onInbox(async (page) => {
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: t.shortcuts.title }).waitFor()
  }),
  'settings-appearance': settings('appearance'),
  'settings-notifications': settings('notifications'),
  'settings-alert-words': async (stage) => {
    await stage.ask('POST', '/users/me/alert_words', {
      alert_words: JSON.stringify(['Keiko', 'spring tide']),
    })
    await settings('alert-words')(stage)
    await stage.page.getByText('spring tide', { exact: true }).waitFor()
  },
  'settings-muted': async (stage) => {
    const seldomSeen = stage.service.accounts.at(-1)?.user_id ?? 0
    // Muted already, where the screen is drawn again.
    await stage.ask('POST', `/users/me/muted_users/${seldomSeen}`).catch(() => {})
    await settings('muted')(stage)
    await stage.page.getByRole('listitem').nth(2).waitFor()
  },
  'settings-reading': settings('reading'),
  'settings-privacy': settings('privacy'),
  'settings-drafts': settings('drafts'),
  'settings-keyboard': settings('keyboard'),
  'settings-window': settings('window'),
  'settings-organizations': settings('organizations'),
  'settings-about': settings('about'),
  'channels-to-join': async (stage) => {
    await stage.ask('DELETE', '/users/me/subscriptions', { subscriptions: '["papers"]' })
    await channels('available')(stage)
  },
  'channel-general': channels('1/general'),
  'channel-personal': channels('1/personal'),
  'channel-permissions': channels('1/permissions'),
  'channel-to-change': async (stage) => {
    await settledChannel('general')(stage)
    await stage.page.getByLabel(t.channels.general.name, { exact: true }).waitFor()
  },
  'channel-permissions-to-change': async (stage) => {
    await settledChannel('permissions')(stage)
    await stage.page.locator('.hp .add').first().waitFor()
  },
  'channel-holders': async (stage) => {
    await settledChannel('permissions')(stage)
    await stage.page.locator('.hp .add').first().click()
    await stage.page.locator('.hp-pop li').first().waitFor()
  },
  'channel-people': async (stage) => {
    await channels('1/people')(stage)
    await stage.page.locator('.members .pr-row').first().waitFor()
  },
  'sync-panel': onInbox(async (page) => {
    await page.getByTestId('sync-pill').click()
    await page.getByRole('region', { name: t.mainWindow.sync.name }).waitFor()
  }),
  'draft-in-conflict': async (stage) => {
    const compare = stage.page.getByTestId('draft-state').getByRole('button', { name: t.compose.compare })
    await openTopic(stage)
    if ((await compare.count()) === 0) await quarrel(stage)
    await compare.click()
    await stage.page.getByRole('dialog').getByText('Monday').first().waitFor()
  },
  'offline-topic': async (stage) => {
    const { page } = stage
    await feed('channel/1/topic/battery%20swap%20rota')(stage)
    await goOffline(stage)
    if ((await page.locator('[data-local-id]').count()) > 0) return
    for (const text of ['First from the tunnel.', 'Second from the tunnel.']) {
      await field(page).fill(text)
      await page.getByRole('button', { name: t.compose.queue, exact: true }).click()
      await page.locator('[data-local-id]', { hasText: text }).waitFor()
    }
  },
  'offline-outbox': async ({ page }) => {
    await clear(page)
    await goTo(page, 'drafts')
    await page.getByText('Second from the tunnel.').first().waitFor()
  },
  'offline-scheduled': async ({ page }) => {
    await clear(page)
    await goTo(page, 'scheduled')
    await page.locator('.later-row').nth(3).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Delete')
    await page.getByText(t.later.scheduled.deleted).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText(t.later.scheduled.waiting).waitFor()
  },
  'offline-sync-panel': onInbox(async (page) => {
    await page.getByTestId('sync-pill').click()
    await page.getByRole('region', { name: t.mainWindow.sync.name }).waitFor()
  }),
  'offline-search': async ({ page }) => {
    await clear(page)
    await goTo(page, 'search?text=drift')
    await page.locator('mark').first().waitFor()
  },
  'back-online': async (stage) => {
    await stage.stopService()
    await stage.startService()
    await openInbox(stage)
    await stage.page.locator('.sync.ok[data-testid="sync-pill"]').waitFor()
  },
  'two-organizations': async (stage) => {
    const { page } = stage
    await openInbox(stage)
    if ((await page.getByRole('navigation', { name: t.mainWindow.rail.name }).count()) > 0) return
    await page
      .getByRole('button', { name: /Skerry/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: t.mainWindow.account.add }).click()
    await enterAccount(page, stage.service.baseUrl, stage.other)
    await page.getByRole('button', { name: t.signIn.signIn }).click()
    await page.getByRole('navigation', { name: t.mainWindow.rail.name }).waitFor()
  },
  'all-organizations': async ({ page }) => {
    await clear(page)
    await page.keyboard.press('Control+0')
    await heading(page, t.allOrganizations.title)
    await page.locator('.ur').first().waitFor()
  },
  // The last ones: the mark of a pause stays.
  'pausing-notifications': onInbox(async (page) => {
    await page.keyboard.press('Escape')
    await page.locator('.sb-org').click()
    const ends = page.getByRole('menuitem', { name: t.mainWindow.account.resume })
    const begins = page.getByRole('menuitem', { name: t.mainWindow.account.pause, exact: true })
    await ends.or(begins).first().waitFor()
    if ((await begins.count()) === 0) return
    await begins.press('ArrowRight')
    await page.getByRole('menuitem', { name: t.settings.quiet.pauses.hour }).waitFor()
  }),
  'notifications-paused': async (stage) => {
    const { page } = stage
    await settings('notifications')(stage)
    const pause = page.getByRole('button', { name: t.settings.quiet.pauses.hour })
    const resume = page.getByRole('button', { name: t.settings.quiet.resume })
    await pause.or(resume).first().waitFor()
    if ((await pause.count()) > 0) await pause.click()
    await page.getByTestId('quiet-mark').waitFor()
    await resume.scrollIntoViewIfNeeded()
  },
}
