import { expect, test } from 'vitest'
import { openDevice } from '../support/device.ts'
import { organization } from '../support/organization.ts'

const org = organization()

test('a link opens outside the app if that only shows a page, writes a mail or calls somebody', async () => {
  const { member, service } = org
  const device = await openDevice(service.baseUrl, { email: member.email, apiKey: member.row.api_key })
  const open = (url: string) => device.bridge.call('open-link', { url })
  const harmless = ['https://kelp.example/', 'http://kelp.example/', 'mailto:a@kelp.example', 'tel:+49401234']
  try {
    for (const url of harmless) await open(url)
    for (const url of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'ms-msdt:/id',
      'sms:+49401234',
      'nothing',
    ])
      await expect(open(url), url).rejects.toThrow('doesn’t open links of this kind')
    expect(device.links).toEqual(harmless)
  } finally {
    await device.close()
  }
})
