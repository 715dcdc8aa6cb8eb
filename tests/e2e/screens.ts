import { organizationScreens, signInScreens } from './screens-accounts.ts'
import { messageScreens } from './screens-messages.ts'
import { readingScreens } from './screens-reading.ts'
import { settingScreens } from './screens-settings.ts'
import { refusalScreens, troubleScreens } from './screens-trouble.ts'
import { writingScreens } from './screens-writing.ts'
import type { Screens } from './screen-ways.ts'

/** Every screen that needs the service, in the order in which they build on one another. */
export const calmScreens: Screens = {
  ...signInScreens,
  ...readingScreens,
  ...messageScreens,
  ...writingScreens,
  ...settingScreens,
  ...organizationScreens,
}

/** Every screen, and every state of one that looks different. Each brings the window there from any place. */
export const screens: Screens = {
  ...signInScreens,
  ...readingScreens,
  ...messageScreens,
  ...writingScreens,
  ...settingScreens,
  ...troubleScreens,
  ...organizationScreens,
  ...refusalScreens,
}
