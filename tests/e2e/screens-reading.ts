import { t } from '../../src-shared/texts/texts.ts'
import { goTo } from './browser.ts'
import { clear, feed, onInbox, onTopic, openInbox, openTopic, type Screens } from './screen-ways.ts'

/** Screens for reading: lists of conversations, feeds, and what opens over them. */
export const readingScreens: Screens = {
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
  'last-starred': async ({ page }) => {
    await clear(page)
    await goTo(page, 'last-starred')
    await page.locator('.later-row').first().waitFor()
  },
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
  'card-of-a-person': onTopic(async (page) => {
    await page.locator('.msg .who .name', { hasText: 'Keiko' }).first().click()
    await page.getByRole('dialog', { name: 'Keiko Tamura' }).waitFor()
  }),
  'card-of-a-group': onTopic(async (page) => {
    await page.locator('.msg .who .name', { hasText: 'Keiko' }).first().click()
    await page.getByRole('button', { name: '@gauge-team' }).click()
    await page.getByRole('dialog', { name: 'gauge-team' }).waitFor()
  }),
  search: async ({ page }) => {
    await clear(page)
    await goTo(page, 'search?text=drift')
    await page.locator('mark').first().waitFor()
  },
  'search-conditions': async ({ page }) => {
    await goTo(page, 'search?text=')
    await page.locator('.search-operators').waitFor()
  },
  'search-without-results': async ({ page }) => {
    await clear(page)
    await goTo(page, 'search?text=zeppelin')
    await page.getByText(t.search.nothingHere).waitFor()
    await page.getByText(t.search.nothingThereEither).waitFor()
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
  'palette-with-settings': onInbox(async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('>dark')
    await page.getByRole('option').filter({ hasText: t.settings.pages.appearance }).first().waitFor()
  }),
  shortcuts: onInbox(async (page) => {
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: t.shortcuts.title }).waitFor()
  }),
  'sync-panel': onInbox(async (page) => {
    await page.getByTestId('sync-pill').click()
    await page.getByRole('region', { name: t.mainWindow.sync.name }).waitFor()
  }),
}
