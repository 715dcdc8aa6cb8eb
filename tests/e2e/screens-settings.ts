import { t } from '../../src-shared/texts/texts.ts'
import { goTo } from './browser.ts'
import { openTopic, settings, type Screens } from './screen-ways.ts'
import type { Stage } from './stage.ts'

const channels = (place: string) => async (stage: Stage) => {
  const { page } = stage
  await openTopic(stage)
  await goTo(page, `channels/${place}`)
  const dialog = page.getByRole('dialog', { name: t.channels.title })
  await dialog.locator('.clr:visible, [role="tabpanel"]:visible').first().waitFor()
}
/** The channel that the person is not in, but may read and join. */
async function leaveChannel({ ask, page }: Stage): Promise<string> {
  await ask('DELETE', '/users/me/subscriptions', { subscriptions: '["papers"]' })
  const papers = page.locator('nav.sb').getByRole('treeitem', { name: 'papers' })
  await papers.waitFor({ state: 'detached' })
  // The answer's form by the specification.
  const { stream_id } = (await ask('GET', '/get_stream_id', { stream: 'papers' })) as { stream_id: number }
  return `channel/${stream_id}`
}
/** A part of a channel's settings, as people with the right to change it see it. */
const settledChannel = (part: string) => async (stage: Stage) => {
  const holders = { direct_members: [stage.own.user_id], direct_subgroups: [] }
  const administer = JSON.stringify({ new: holders })
  await stage.ask('PATCH', '/streams/2', { can_administer_channel_group: administer }, stage.other)
  await channels(`2/${part}`)(stage)
}

/** Settings of the account, the device and channels. */
export const settingScreens: Screens = {
  'settings-profile': settings('profile'),
  'change-email': async (stage) => {
    await settings('profile')(stage)
    await stage.page.getByRole('button', { name: t.settings.profile.changeEmail }).click()
    await stage.page.getByLabel(t.settings.profile.newEmail).fill('maren@shore.example')
  },
  'change-password': async (stage) => {
    await settings('profile')(stage)
    await stage.page.getByRole('button', { name: t.settings.profile.changePassword }).click()
    await stage.page.getByLabel(t.settings.profile.oldPassword).fill('correct horse battery')
    await stage.page.getByLabel(t.settings.profile.newPassword).fill('brand new words')
  },
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
    // The person is muted already if the screen is drawn again.
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
  'settings-diagnostics': async (stage) => {
    await settings('about')(stage)
    await stage.page.getByRole('button', { name: t.settings.about.showDiagnostics }).click()
    await stage.page
      .getByRole('dialog', { name: t.diagnostics.title })
      .getByText(t.diagnostics.room)
      .waitFor()
  },
  'channels-to-join': async (stage) => {
    await leaveChannel(stage)
    await channels('available')(stage)
  },
  'channel-to-join': async (stage) => {
    const { page } = stage
    await openTopic(stage)
    await goTo(page, await leaveChannel(stage))
    await page.getByRole('button', { name: t.compose.noteActs.join, exact: true }).waitFor()
    await page.locator('.msg').first().waitFor()
    await page.locator('.feed').getByText(t.feed.gap.loading).first().waitFor({ state: 'detached' })
  },
  'new-channel': async (stage) => {
    await channels('subscribed')(stage)
    await stage.page.getByRole('button', { name: t.channels.create.title }).click()
    await stage.page.getByRole('textbox', { name: t.channels.general.name, exact: true }).fill('wader-rings')
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
  'channel-people-to-change': async (stage) => {
    await settledChannel('people')(stage)
    await stage.page.locator('.members .pr-row .ib').first().waitFor()
    await stage.page.getByRole('button', { name: t.channels.members.add }).click()
    await stage.page.getByRole('searchbox', { name: t.channels.members.findOthers }).fill('a')
    await stage.page.locator('.hp-pop').waitFor()
  },
}
