import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawn } from '../support/pictures.ts'
import { ask } from './browser.ts'
import {
  closeFeeds,
  configuration,
  openFeeds,
  page,
  stage,
  service,
  own,
  other,
  channel,
  rich,
  go,
  topic,
  row,
} from './feed-stage.ts'

// What messages hold, and what is done with it.

beforeAll(openFeeds)
afterAll(closeFeeds)

test('what a message holds can be used, and nothing in it can act', async () => {
  await page.evaluate(() => Object.assign(window, { harmed: false }))
  const { hostile, code, film, spoiler, long, time } = rich
  await topic('rich', hostile)
  await row(hostile).getByText('hostile').waitFor()
  await row(hostile).getByText('run').click()
  expect(await page.evaluate(() => (window as unknown as { harmed: boolean }).harmed)).toBe(false)
  expect(await row(hostile).locator('script, iframe, form, input, style, [onclick], [onerror]').count()).toBe(
    0,
  )

  await row(code).locator('.code-tools').getByText('python').waitFor()
  await row(code).getByRole('button', { name: 'Show 16 more lines' }).click()
  await row(code).getByRole('button', { name: 'Copy', exact: true }).click()
  await row(code).getByRole('button', { name: 'Copied', exact: true }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('reading_39 = 39')

  // Links that leave the app for a browser.
  await page.evaluate(() => {
    const links: string[] = []
    const send = WebSocket.prototype.send
    WebSocket.prototype.send = function (sent) {
      if (typeof sent === 'string' && sent.includes('open-link')) links.push(sent)
      send.call(this, sent)
    }
    Object.assign(window, { links })
  })
  await row(code).getByRole('button', { name: 'Run in Notebook' }).waitFor()
  await row(code).getByRole('button', { name: 'Run in Sandbox' }).click()
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { links: string[] }).links.join()))
    .toContain('https://sandbox.example/new?code=reading_0%20%3D%200%0A')

  // The topic's own text contains links too.
  await page.getByRole('button', { name: 'Open rich in the browser' }).first().click()
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { links: string[] }).links.at(-1)))
    .toContain('https://rules.example/ch')
  await row(film).locator('a').click()
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { links: string[] }).links.at(-1)))
    .toContain('https://films.example/7')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  const header = row(spoiler).getByRole('button', { name: 'The winner' })
  expect(await row(spoiler).getByText('Eider').isVisible()).toBe(false)
  await header.focus()
  await page.keyboard.press('Enter')
  await row(spoiler).getByText('Eider').waitFor()

  expect(
    await row(long)
      .locator('.content')
      .evaluate((one) => one.clientHeight),
  ).toBeLessThan(700)
  await row(long).getByRole('button', { name: 'Show more' }).click()
  await expect
    .poll(() =>
      row(long)
        .locator('.content')
        .evaluate((one) => one.clientHeight),
    )
    .toBeGreaterThan(1_000)

  const local = await page.evaluate(() =>
    new Date('2026-05-12T12:36:00Z').toLocaleTimeString('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
    }),
  )
  await row(time).locator('.content time', { hasText: local }).waitFor()
})

test('what mentions the reader stands out, also through their groups and as one of the topic', async () => {
  const group = (name: string, members: number[], subgroups: number[] = []) =>
    ask(service.baseUrl, own, 'POST', '/user_groups/create', {
      ...{
        name,
        description: '',
        members: JSON.stringify(members),
        subgroups: JSON.stringify(subgroups),
      },
    }) as Promise<{ group_id: number }>
  const { group_id } = await group('divers', [own.userId])
  await group('crew', [other.userId], [group_id])
  await group('cooks', [other.userId])
  const say = (name: string, content: string) => service.send(other.userId, channel, name, content)
  service.send(own.userId, channel, 'calls', 'Mine')
  const id = say('calls', '@*divers* @*crew* @*cooks* @_*divers* @**topic** @**all** @**Maren Aske**')
  const elsewhere = say(
    'calls elsewhere',
    '@*cooks* @_*divers* @_**topic** @_**all** @_**Maren Aske** @_**Keiko Tamura**',
  )
  const colours = (message: number) =>
    row(message)
      .locator('.content span')
      .evaluateAll((all) => {
        const own = document.createElement('span')
        own.className = 'men me'
        document.body.append(own)
        const { backgroundColor } = getComputedStyle(own)
        own.remove()
        return all
          .filter((one) => getComputedStyle(one).backgroundColor === backgroundColor)
          .map((one) => one.textContent)
      })
  await topic('calls')
  await row(id).waitFor()
  await expect.poll(() => colours(id)).toEqual(['@divers', '@crew', '@topic', '@all', '@Maren Aske'])
  await topic('calls%20elsewhere')
  await row(elsewhere).getByText('@cooks').waitFor()
  expect(await colours(elsewhere)).toEqual([])
  // Silent mentions have no fill at all, and are written alike.
  const silent = await row(elsewhere)
    .locator('.content .silent')
    .evaluateAll((all) =>
      all.map((one) => {
        const { backgroundColor, color, fontWeight } = getComputedStyle(one)
        return [backgroundColor, color, fontWeight].join(' ')
      }),
    )
  expect(silent).toHaveLength(5)
  expect(new Set(silent).size).toBe(1)
  expect(silent[0]).toContain('rgba(0, 0, 0, 0)')
})

test('at midnight, today becomes yesterday', async () => {
  const now = new Date()
  const id = service.send(other.userId, channel, 'late', `Low water <time:${now.toISOString()}>`)
  await topic('late')
  await row(id).getByText('Today').waitFor()
  await page.locator('.dd').getByText('Today').waitFor()
  await page.locator('.rb .date').getByText('Today').waitFor()
  // The clock of the window goes on by a day.
  await page.evaluate(() => {
    const RealDate = Date
    const day = 24 * 60 * 60 * 1_000
    class NextDay extends RealDate {
      constructor(...given: []) {
        super(...(given.length === 0 ? ([RealDate.now() + day] as unknown as []) : given))
      }
      static override now = () => RealDate.now() + day
    }
    Object.assign(window, { RealDate, Date: NextDay })
  })
  try {
    await page.locator('.dd').getByText('Yesterday').waitFor()
    await page.locator('.rb .date').getByText('Yesterday').waitFor()
    await expect.poll(() => row(id).locator('.content time').textContent()).not.toContain('Today')
  } finally {
    await page.evaluate(() =>
      Object.assign(window, {
        Date: (window as unknown as { RealDate: unknown }).RealDate,
      }),
    )
  }
})

test('a message that cannot be drawn says so, and those around it are there', async () => {
  await go('inbox')
  await page.evaluate(() => {
    const known = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')
    Object.defineProperty(HTMLTemplateElement.prototype, 'innerHTML', {
      ...known,
      // The framework's own templates are trusted HTML, not text.
      set(this: HTMLTemplateElement, html: unknown) {
        if (String(html).includes('undrawable')) throw new Error('This cannot be drawn.')
        known?.set?.call(this, html)
      },
    })
  })
  const before = service.send(other.userId, channel, 'drawn', 'Before it')
  const id = service.send(own.userId, channel, 'drawn', 'undrawable')
  const after = service.send(other.userId, channel, 'drawn', 'After it')
  await topic('drawn')
  await row(before).waitFor()
  await row(after).waitFor()
  await page.locator('.feed-note', { hasText: 'This message can’t be shown.' }).waitFor()
  expect(await row(id).count()).toBe(0)
  await ask(service.baseUrl, own, 'PATCH', `/messages/${id}`, {
    content: 'Said otherwise',
  })
  await row(id).getByText('Said otherwise').waitFor()
})

test('large emoji are shown whole, with nothing more to show', async () => {
  const emoji = service.send(other.userId, channel, 'emoji', ':partying_face:')
  await topic('emoji', emoji)
  await row(emoji).locator('.content[data-only-emoji]').waitFor()
  // A text is measured once it is drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await page.waitForTimeout(200)
  expect(await row(emoji).getByRole('button', { name: 'Show more' }).count()).toBe(0)
})

test('the note that a grouped message was edited stands in the line of its words, and takes no line of its own', async () => {
  service.send(own.userId, channel, 'notes', 'the first of three')
  const plain = service.send(own.userId, channel, 'notes', 'the second of three')
  const edited = service.send(own.userId, channel, 'notes', 'the third of three')
  await ask(service.baseUrl, own, 'PATCH', `/messages/${edited}`, {
    content: 'the third of three, changed',
  })
  await topic('notes', edited)
  const mark = row(edited).locator('.mark', { hasText: 'Edited' })
  await mark.waitFor()
  const boxOf = async (part: ReturnType<typeof row>) => {
    const { y = 0, height = 0 } = (await part.boundingBox()) ?? {}
    return { middle: y + height / 2, height }
  }
  // The feed may still be opening.
  const apart = async () =>
    Math.abs((await boxOf(mark)).middle - (await boxOf(row(edited).locator('.content p'))).middle)
  await expect.poll(apart).toBeLessThan(4)
  const taller = async () => (await boxOf(row(edited))).height - (await boxOf(row(plain))).height
  await expect.poll(taller).toBe(0)
})

test('own words are changed in place, also over a reload and a kill of the app, and by nobody else', async () => {
  const mine = service.send(own.userId, channel, 'rich', 'mine to change')
  const theirs = service.send(other.userId, channel, 'rich', 'theirs')
  const after = service.send(other.userId, channel, 'rich', 'theirs too')
  await topic('rich', mine)
  await row(mine).waitFor()
  await row(theirs).focus()
  await page.keyboard.press('i')
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
  expect(await page.getByRole('menuitem', { name: /Edit|Delete/ }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await row(mine).focus()
  await page.keyboard.press('e')
  const field = page.getByLabel('Edit message')
  await field.fill('mine, changed')
  await page.reload()
  await row(mine).getByRole('button', { name: 'Continue' }).click()
  expect(await field.inputValue()).toBe('mine, changed')
  // What was typed is on disk within a quarter of a second. The next app has another address, and so another storage.
  await field.fill('mine, changed again')
  await page.waitForTimeout(250)
  const { url } = stage
  await stage.stopApp()
  await stage.startApp()
  expect(stage.url).not.toBe(url)
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await topic('rich', mine)
  await row(mine).getByRole('button', { name: 'Continue' }).click()
  expect(await field.inputValue()).toBe('mine, changed again')
  // What is given up can be brought back.
  await page.getByRole('button', { name: 'Cancel' }).click()
  await field.waitFor({ state: 'detached' })
  expect(await row(mine).getByRole('button', { name: 'Continue' }).count()).toBe(0)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await row(mine).getByRole('button', { name: 'Continue' }).click()
  expect(await field.inputValue()).toBe('mine, changed again')
  await field.fill('mine, changed')
  await field.press('Control+Enter')
  await row(mine).locator('.content', { hasText: 'mine, changed' }).waitFor()
  // The reader sees the edit before the server has it.
  await expect
    .poll(() => service.database.get('SELECT content FROM messages WHERE message_id = ?', mine))
    .toEqual({ content: 'mine, changed' })
  // Changes are marked in the new version, with words for screen readers.
  await row(mine).getByRole('button', { name: 'Edited' }).click()
  const versions = page.getByRole('dialog', {
    name: 'Versions of this message',
  })
  await versions.getByRole('insertion').filter({ hasText: 'added: changed' }).waitFor()
  expect(await versions.getByRole('deletion').allTextContents()).toContain('removed: to change')
  await page.keyboard.press('Escape')
  await versions.waitFor({ state: 'detached' })

  await row(theirs).focus()
  await page.keyboard.press('>')
  await expect
    .poll(() => page.getByLabel('Message', { exact: true }).inputValue())
    .toMatch(/^@_\*\*Keiko Tamura\|\d+\*\* \[said\]\(http.*\):\n```quote\ntheirs\n```\n$/)
  // The source of other people's messages is shown for copying, and cannot be changed.
  await row(theirs).focus()
  await page.keyboard.press('e')
  const source = page.getByRole('textbox', { name: 'Message source' })
  await expect.poll(() => source.inputValue()).toBe('theirs')
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('theirs')
  await page.keyboard.type('not mine')
  expect(await source.inputValue()).toBe('theirs')
  await page.keyboard.press('Escape')
  await source.waitFor({ state: 'detached' })
  // An edit that was begun while one still could is not the source; it can be copied, and dropped.
  const [, accountId] = /^#\/([^/]+)\//.exec(new URL(page.url()).hash) ?? []
  const begun = `dunlin-edit:${accountId}:${theirs}`
  await page.evaluate(
    ([key = '', edit = '']) => localStorage.setItem(key, edit),
    [begun, JSON.stringify({ text: 'theirs, changed', previous: 'older' })],
  )
  // An earlier version kept it in the window's storage.
  await page.reload()
  await row(theirs).focus()
  await page.keyboard.press('e')
  await expect.poll(() => source.inputValue()).toBe('theirs')
  const leftOver = page.getByRole('textbox', { name: 'Your edit, not saved' })
  expect(await leftOver.inputValue()).toBe('theirs, changed')
  await page.getByRole('button', { name: 'Discard edit' }).click()
  await source.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), begun)).toBe(null)
  const hasFocus = () => row(theirs).evaluate((element) => element === document.activeElement)
  await expect.poll(hasFocus).toBe(true)
  await page.keyboard.press('Shift+U')
  await expect
    .poll(
      () =>
        service.database.get<{ is_read: number }>(
          'SELECT is_read FROM user_messages WHERE user_id = ? AND message_id = ?',
          own.userId,
          theirs,
        )?.is_read,
    )
    .toBe(0)
  await row(theirs).and(page.locator('.unr')).waitFor()
  // The message goes while it has the focus; the keys continue with the one beside it.
  await ask(service.baseUrl, other, 'DELETE', `/messages/${theirs}`)
  await row(theirs).waitFor({ state: 'detached' })
  await expect.poll(() => row(after).evaluate((element) => element === document.activeElement)).toBe(true)
})

test('a file is a card that gives it, a sound plays, and what was loaded once is there without the server', async () => {
  const upload = async (name: string, type: string, bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.append('file', new Blob([bytes], { type }), name)
    // The envelope of the service's own answer.
    return (
      (await ask(service.baseUrl, other, 'POST', '/user_uploads', form)) as {
        url: string
      }
    ).url
  }
  /** One second of silence. */
  const silence = () => {
    const bytes = new Uint8Array(44 + 8_000)
    const view = new DataView(bytes.buffer)
    const text = (at: number, words: string) => bytes.set(new TextEncoder().encode(words), at)
    text(0, 'RIFF')
    view.setUint32(4, 36 + 8_000, true)
    text(8, 'WAVEfmt ')
    view.setUint32(16, 16, true)
    view.setUint16(20, 1, true)
    view.setUint16(22, 1, true)
    view.setUint32(24, 8_000, true)
    view.setUint32(28, 8_000, true)
    view.setUint16(32, 1, true)
    view.setUint16(34, 8, true)
    text(36, 'data')
    view.setUint32(40, 8_000, true)
    bytes.fill(128, 44)
    return bytes
  }
  const report = await upload('levels.csv', 'text/csv', new TextEncoder().encode('level,cm\n1,2\n'))
  const unseen = await upload('unseen.pdf', 'application/pdf', new TextEncoder().encode('%PDF-1.4'))
  const sound = await upload('call.wav', 'audio/wav', silence())
  const board = await upload('board.png', 'image/png', new Uint8Array(await drawn.png(320, 160)))
  const pictured = service.send(other.userId, channel, 'pictured', `See:\n\n[board.png](${board})`)
  const id = service.send(
    other.userId,
    channel,
    'files',
    `[levels.csv](${report}) and [unseen.pdf](${unseen})\n\n![call.wav](${sound})`,
  )
  await topic('files')
  const card = row(id).getByRole('link', { name: /levels\.csv/ })
  await card.waitFor()
  // Its name says of what kind it is.
  expect(await card.textContent()).toBe('levels.csv')
  // A copy of it is what was written.
  await row(id)
    .locator('.content p')
    .first()
    .evaluate((words) => getSelection()?.selectAllChildren(words))
  await page.keyboard.press('Control+c')
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('levels.csv and unseen.pdf')
  const [download] = await Promise.all([page.waitForEvent('download'), card.click()])
  expect(download.suggestedFilename()).toBe('levels.csv')
  const audio = row(id).locator('audio')
  const ready = () => audio.evaluate((element) => (element as HTMLAudioElement).readyState)
  await expect.poll(ready).toBeGreaterThan(0)

  await service.stop()
  await stage.noticeGone()
  await page.reload()
  await card.waitFor()
  const [again] = await Promise.all([page.waitForEvent('download'), card.click()])
  expect(again.suggestedFilename()).toBe('levels.csv')
  await expect.poll(ready).toBeGreaterThan(0)
  await row(id)
    .getByRole('link', { name: /unseen\.pdf/ })
    .click()
  await row(id).getByText('Not on this device.').waitFor()

  // A picture that was never shown is named, and shown once the server is back.
  await topic('pictured')
  const note = row(pictured).locator('.picture-note', {
    hasText: 'Not on this device.',
  })
  await note.waitFor()
  expect(await note.textContent()).toContain('board.png')
  const { width, height } = (await note.boundingBox()) ?? {}
  // A copy has its name, too.
  const copyPictured = async () => {
    await row(pictured)
      .locator('.content')
      .evaluate((content) => getSelection()?.selectAllChildren(content))
    await page.keyboard.press('Control+c')
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('See:\n\nboard.png')
    await page.evaluate(() => navigator.clipboard.writeText(''))
  }
  await copyPictured()
  await service.start()
  await stage.noticeBack()
  const picture = row(pictured).locator('.message_inline_image img')
  const wide = () => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth)
  await expect.poll(wide, { timeout: 60_000 }).toBeGreaterThan(0)
  expect(await note.count()).toBe(0)
  expect(await picture.boundingBox()).toMatchObject({ width, height })
  // The picture has its name itself.
  expect(await row(pictured).locator('.file-card:visible').count()).toBe(0)
  expect(await row(pictured).locator('.message_inline_image a').getAttribute('title')).toBe('board.png')
  // The line that is not shown is not copied.
  await copyPictured()
})

test('offline, what only the server knows of a message is promised, and shown once the connection is back', async () => {
  const id = service.send(own.userId, channel, 'receipts', 'Read by one.')
  service.database.run('UPDATE user_messages SET is_read = 1 WHERE message_id = ?', id)
  const edited = service.send(other.userId, channel, 'receipts', 'Low water.')
  const change = await fetch(`${service.baseUrl}/messages/${edited}`, {
    method: 'PATCH',
    headers: {
      authorization: `Basic ${btoa(`${other.email}:${other.apiKey}`)}`,
    },
    body: new URLSearchParams({ content: 'High water.' }),
  })
  expect(change.status).toBe(200)
  await topic('receipts')
  await row(id).waitFor()
  await row(edited).getByText('High water.').waitFor()
  const pill = page.locator('.sync.off[data-testid="sync-pill"]')
  for (const { key, name, promise, shown } of [
    {
      key: 'Shift+V',
      name: 'Who has read this',
      promise: /The list is shown here/,
      shown: 'Keiko Tamura',
    },
    {
      key: 'Shift+H',
      name: 'Versions of this message',
      promise: /They are shown here/,
      shown: 'Read by one.',
    },
  ]) {
    await service.stop()
    await stage.noticeGone()
    await pill.waitFor({ timeout: 30_000 })
    await row(id).focus()
    await page.keyboard.press(key)
    await page.getByRole('dialog', { name }).getByText(promise).waitFor()
    if (key === 'Shift+H') {
      await page.keyboard.press('Escape')
      // What this device has seen of another message's versions is shown, and said to be no more than that.
      await row(edited).focus()
      await page.keyboard.press('Shift+H')
      await page
        .getByRole('dialog', { name })
        .getByText(/versions this device knows/)
        .waitFor()
      await page.getByRole('dialog', { name }).getByText('Low water.').waitFor()
      await page.keyboard.press('Escape')
      await row(id).focus()
      await page.keyboard.press(key)
    }
    await service.start()
    await stage.noticeBack()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(shown).waitFor({ timeout: 60_000 })
    // The person need not be told that they have read it themselves.
    expect(await dialog.getByText('Maren Aske', { exact: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
  }
})

test('what begins is named at its beginning, and a topic where nothing is by its bar', async () => {
  const id = service.send(other.userId, channel, 'short', 'The first words.')
  await topic('short')
  await row(id).waitFor()
  await page
    .locator('.feed-note')
    .getByText(/^Start of the topic, /)
    .waitFor()
  await row(id).focus()
  await page.keyboard.press('Control+s')
  await go('starred')
  await row(id).waitFor()
  // Messages that are picked from everywhere have no beginning.
  expect(await page.locator('.feed-note').count()).toBe(0)

  await topic('unwritten')
  await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor()
  const bar = page.locator('.feed .rb')
  await bar.getByRole('link', { name: 'unwritten' }).waitFor()
  await bar.getByRole('button', { name: 'Visibility of this topic' }).press('Enter')
  await page.getByRole('menuitemradio', { name: 'Mute', exact: true }).press('Enter')
  await expect.poll(() => bar.locator('.lucide-bell-off').count()).toBe(1)
})

test('selected messages are copied as what they say and who wrote it, without what stands around them', async () => {
  const one = service.send(other.userId, channel, 'copied', 'It is **wet** :tada:')
  service.send(own.userId, channel, 'copied', '```spoiler The winner\nEider\n```\nSee [it](/help)')
  const three = service.send(other.userId, channel, 'copied', '```python\nx = 1\ny = 2\n```\n\nso $$x^2$$')
  await topic('copied', three)
  await row(three).getByText('so').waitFor()
  const copy = async (from: string, to: string) => {
    await row(one).focus()
    await page.evaluate(
      ([first, last]) => {
        const [start, end] = [document.querySelector(first ?? ''), document.querySelector(last ?? '')]
        if (start !== null && end !== null)
          getSelection()?.setBaseAndExtent(start, 0, end, end.childNodes.length)
      },
      [from, to],
    )
    await page.keyboard.press('Control+c')
    return page.evaluate(async () => {
      const [item] = await navigator.clipboard.read()
      const read = async (type: string) => (await item?.getType(type))?.text()
      return { text: await read('text/plain'), html: await read('text/html') }
    })
  }
  const words = (id: number) => `.msg[data-message-id="${id}"] .content`
  const all = await copy(words(one), words(three))
  const heads = /^(Keiko Tamura|Maren Aske), .+$/gm
  expect(all.text?.match(heads)).toHaveLength(3)
  expect(all.text?.replace(heads, '-')).toBe(
    '-\nIt is wet 🎉\n\n-\nThe winner\n\n(…)\n\nSee it\n\n-\nx = 1\ny = 2\n\nso x^2',
  )
  expect(all.html).toContain('It is <strong>wet</strong>')
  expect(all.html).toContain(`href="${new URL('/help', service.baseUrl).href}"`)
  expect(all.html).not.toMatch(/style=|<button|Eider/)

  const part = await copy(`${words(one)} strong`, `${words(one)} strong`)
  expect(part).toMatchObject({
    text: 'wet',
    html: expect.stringContaining('wet') as string,
  })
  expect(part.html).not.toContain('style=')
  // Without a selection, the key copies the selected message.
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1_000)
  const low = `Low water <time:${tomorrow.toISOString()}> :tada:`
  const timed = service.send(other.userId, channel, 'copied', low)
  await row(timed).getByText('Low water').waitFor()
  await page.evaluate(() => getSelection()?.removeAllRanges())
  await row(timed).focus()
  await page.keyboard.press('Control+c')
  const copiedText = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copiedText).toMatch(/^Low water .*🎉$/)
  // On which day tomorrow was, also for those who read it later; but not as it was written.
  expect(await copiedText()).toContain(` ${tomorrow.getFullYear()}`)
  expect(await copiedText()).not.toContain(tomorrow.toISOString().slice(0, 11))

  const code = await copy(`${words(three)} pre`, `${words(three)} pre`)
  expect(code.text).toBe('x = 1\ny = 2')

  // What is selected beside the messages is copied, too, although a key for a message selects one first.
  await page.evaluate(() => {
    ;(document.activeElement as HTMLElement).blur()
    const name = document.querySelector('main h1')
    if (name !== null) getSelection()?.selectAllChildren(name)
  })
  await page.keyboard.press('Control+c')
  expect(await copiedText()).toBe('gauges')

  // In code, and among the actions of a message, the arrow keys do what they do there.
  const wide = service.send(own.userId, channel, 'copied', `\`\`\`\n${'wide '.repeat(100)}\n\`\`\``)
  const pre = row(wide).locator('pre')
  await pre.focus()
  await pre.evaluate((element) => (element.scrollLeft = 200))
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => pre.evaluate(({ scrollLeft }) => scrollLeft)).toBeLessThan(200)
  const acts = row(wide).getByRole('toolbar')
  await acts.getByRole('button', { name: 'Quote' }).focus()
  await page.keyboard.press('ArrowRight')
  const isFocused = (name: string) =>
    acts.getByRole('button', { name }).evaluate((element) => element === document.activeElement)
  expect(await isFocused('Star')).toBe(true)
  await page.keyboard.press('ArrowLeft')
  expect(await isFocused('Quote')).toBe(true)
})

test('what the plan of the organization hides is named where a feed would begin', async () => {
  const elsewhere = service.createChannel('moorings', [other.userId])
  const ids = ['one', 'two', 'three'].map((words) => service.send(other.userId, elsewhere, 'chain', words))
  await service.stop()
  configuration.visibleMessages = 1
  await service.start()
  await stage.noticeBack()
  const hidden = page.locator('.feed-note').getByText(/^Older messages aren’t available: /)
  await go(`channel/${elsewhere}/topic/chain`)
  await row(ids[2] ?? 0).waitFor()
  await hidden.waitFor()
  expect(await row(ids[0] ?? 0).count()).toBe(0)

  await service.stop()
  configuration.visibleMessages = null
  await service.start()
  await stage.noticeBack()
  await row(ids[0] ?? 0).waitFor()
  await page
    .locator('.feed-note')
    .getByText(/^Start of the topic, /)
    .waitFor()
})
