import { join } from 'node:path'
import type { Configuration } from '../../src-server/configuration.ts'

/** The operator's configuration for tests: files below `directory`; mail is dropped. */
export function testConfiguration(directory: string): Configuration {
  return {
    filesDirectory: join(directory, 'files'),
    maxUploadMib: 25,
    uploadQuotaMib: null,
    visibleMessages: null,
    allowPrivateWebhooks: false,
    pushBouncerUrl: null,
    limitsPresence: false,
    invitationValidityMinutes: 14_400,
    accountCreators: [],
    allowedHosts: [],
    // Hundreds of accounts are made, with passwords that stand here.
    passwordCost: { log2N: 10, passes: 1 },
    sendMail: () => {},
  }
}
