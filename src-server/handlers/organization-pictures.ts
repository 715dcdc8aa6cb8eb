import type { Handlers } from '../../src-shared/api/index.ts'
import {
  pictureUrl,
  removePicture,
  setPicture,
  type OrganizationPicture,
} from '../organization/organization-pictures.ts'
import { assertAdministrator } from '../permissions/roles.ts'
import { badRequest } from '../service-error.ts'
import type { HandlerContext } from './context.ts'

const logo = (isNight: boolean): OrganizationPicture => (isNight ? 'night_logo' : 'logo')

export const organizationPictures: Pick<
  Handlers<HandlerContext>,
  'getIcon' | 'setIcon' | 'removeIcon' | 'getLogo' | 'setLogo' | 'removeLogo'
> = {
  getIcon: (_input, { workspace }) => ({ url: pictureUrl(workspace, 'icon') }),
  setIcon: async (_input, context) => {
    await set(context, 'icon')
    return { icon_url: pictureUrl(context.workspace, 'icon') }
  },
  removeIcon: (_input, context) => {
    remove(context, 'icon')
    return { icon_url: pictureUrl(context.workspace, 'icon') }
  },
  getLogo: ({ night }, { workspace }) => ({ url: pictureUrl(workspace, logo(night)) }),
  setLogo: async ({ night }, context) => {
    await set(context, logo(night))
    return {}
  },
  removeLogo: ({ night }, context) => {
    remove(context, logo(night))
    return {}
  },
}

async function set({ workspace, user, file }: HandlerContext, which: OrganizationPicture): Promise<void> {
  assertAdministrator(user)
  if (file === null) throw badRequest('You must upload exactly one picture.')
  await setPicture(workspace, which, file)
}

function remove({ workspace, user }: HandlerContext, which: OrganizationPicture): void {
  assertAdministrator(user)
  removePicture(workspace, which)
}
