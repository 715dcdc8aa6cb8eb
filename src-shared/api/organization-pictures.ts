import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Which of the two logos: the one for dark backgrounds, or the other. */
const whichLogo = z.object({ night: z.boolean() })

/** The organization's icon and logos, which administrators choose; if there is none, a drawn one is used. */
export const organizationPictures = {
  getIcon: endpoint({
    method: 'GET',
    path: '/realm/icon',
    input: z.object({}),
    output: z.looseObject({ url: z.string() }),
    redirects: true,
  }),
  setIcon: endpoint({
    method: 'POST',
    path: '/realm/icon',
    input: z.object({}),
    output: z.looseObject({ icon_url: z.string() }),
    takesFile: true,
  }),
  removeIcon: endpoint({
    method: 'DELETE',
    path: '/realm/icon',
    input: z.object({}),
    output: z.looseObject({ icon_url: z.string() }),
  }),
  getLogo: endpoint({
    method: 'GET',
    path: '/realm/logo',
    input: whichLogo,
    output: z.looseObject({ url: z.string() }),
    redirects: true,
  }),
  setLogo: endpoint({
    method: 'POST',
    path: '/realm/logo',
    input: whichLogo,
    output: z.looseObject({}),
    takesFile: true,
  }),
  removeLogo: endpoint({
    method: 'DELETE',
    path: '/realm/logo',
    input: whichLogo,
    output: z.looseObject({}),
  }),
}
