import { join } from 'node:path'
import type { Configuration } from '../../src-server/configuration.ts'

/** What whoever runs the service decides, as tests have it: files below `directory`, mail goes nowhere. */
export function testConfiguration(directory: string): Configuration {
  return {
    filesDirectory: join(directory, 'files'),
    maxUploadMib: 25,
    uploadQuotaMib: null,
    allowPrivateWebhooks: false,
    pushBouncerUrl: null,
    limitsPresence: false,
    invitationValidityMinutes: 14_400,
    accountCreators: [],
    sendMail: () => {},
  }
}
