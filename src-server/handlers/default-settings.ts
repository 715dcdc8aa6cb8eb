import type { Handlers } from '../../src-shared/api/index.ts'
import { assertAdministrator } from '../permissions/roles.ts'
import { defaultSettingOf, putDefaultSetting } from '../people/settings.ts'
import type { HandlerContext } from './context.ts'
import { assertKnownValues } from '../organization/setting-values.ts'

export const defaultSettings: Pick<Handlers<HandlerContext>, 'updateDefaultSettings'> = {
  updateDefaultSettings: (input, { workspace, user }) => {
    assertAdministrator(user)
    assertKnownValues(input)
    const { db } = workspace
    const changed = Object.entries(input).filter(([name, value]) => value !== defaultSettingOf(db, name))
    db.transaction(() => {
      for (const [name, value] of changed) putDefaultSetting(db, name, value)
    })
    for (const [property, value] of changed)
      workspace.publish(null, { type: 'realm_user_settings_defaults', op: 'update', property, value })
    return {}
  },
}
