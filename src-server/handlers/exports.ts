import type { Handlers } from '../../src-shared/api/index.ts'
import { exportConsents, exportList, removeExport, startExport } from '../exports/exports.ts'
import { assertAdministrator } from '../permissions/roles.ts'
import type { HandlerContext } from './context.ts'

export const exports: Pick<
  Handlers<HandlerContext>,
  'getExports' | 'startExport' | 'removeExport' | 'getExportConsents'
> = {
  getExports: (_input, { workspace, user }) => {
    assertAdministrator(user)
    return { exports: exportList(workspace) }
  },
  startExport: ({ export_type }, { workspace, user }) => {
    assertAdministrator(user)
    return { id: startExport(workspace, user, export_type ?? 1) }
  },
  removeExport: async ({ export_id }, { workspace, user }) => {
    assertAdministrator(user)
    await removeExport(workspace, export_id)
    return {}
  },
  getExportConsents: (_input, { workspace, user }) => {
    assertAdministrator(user)
    return { export_consents: exportConsents(workspace) }
  },
}
