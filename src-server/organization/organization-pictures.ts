import type { FastifyInstance } from 'fastify'
import type { FormFile } from '../files/forms.ts'
import { sendPicture, storePicture } from '../files/picture-files.ts'
import { picture } from '../files/pictures.ts'
import { faceFormat, thumbnailFormats } from '../files/thumbnail-formats.ts'
import { realmValue, type Workspace } from '../workspace.ts'

/** The pictures of the organization. */
export type OrganizationPicture = 'icon' | 'logo' | 'night_logo'

const paths = { icon: '/realm-icon', logo: '/realm-logo', night_logo: '/realm-night-logo' } as const

/** An uploaded picture, in its stored form; undefined: the picture is drawn. */
interface KeptPicture {
  readonly name: string
  readonly contentType: string
  /** Different for each upload, so that no client shows the previous picture. */
  readonly version: number
}

function kept({ db }: Workspace, which: OrganizationPicture): KeptPicture | undefined {
  const text = realmValue(db, `${which}_picture`)
  // Only `put` writes it.
  return text === '' ? undefined : (JSON.parse(text) as KeptPicture)
}

/** The path of a picture, below the root of the service. */
export function pictureUrl(workspace: Workspace, which: OrganizationPicture): string {
  const own = kept(workspace, which)
  return own === undefined ? paths.icon : `${paths[which]}?version=${own.version}`
}

/** A picture as clients are told: its address, and whether it was uploaded. */
export function pictureState(workspace: Workspace, which: OrganizationPicture): Record<string, string> {
  const drawn = which === 'icon' ? 'G' : 'D'
  return {
    [`${which}_url`]: pictureUrl(workspace, which),
    [`${which}_source`]: kept(workspace, which) === undefined ? drawn : 'U',
  }
}

/** Stores an uploaded picture and tells everybody. Throws BAD_IMAGE if it is not a picture. */
export async function setPicture(
  workspace: Workspace,
  which: OrganizationPicture,
  file: FormFile,
): Promise<void> {
  const { name, contentType } = await storePicture(workspace, file)
  const version = (kept(workspace, which)?.version ?? 1) + 1
  put(workspace, which, JSON.stringify({ name, contentType, version } satisfies KeptPicture))
}

/** Returns to the drawn picture and tells everybody. */
export const removePicture = (workspace: Workspace, which: OrganizationPicture): void =>
  put(workspace, which, '')

function put(workspace: Workspace, which: OrganizationPicture, text: string): void {
  workspace.db.run('INSERT OR REPLACE INTO realm VALUES (?, ?)', `${which}_picture`, text)
  const data = pictureState(workspace, which)
  workspace.publish(null, { type: 'realm', op: 'update_dict', property: which, data })
}

/** Serves the pictures; people who are about to join see them too. */
export function addOrganizationPictures(server: FastifyInstance, workspace: Workspace): void {
  const largest = thumbnailFormats[0] ?? faceFormat
  for (const [which, format] of [
    ['icon', faceFormat],
    ['logo', largest],
    ['night_logo', largest],
  ] as const) {
    server.get(paths[which], (request, reply) => {
      const own = kept(workspace, which)
      return own === undefined ? picture(request, reply) : sendPicture(workspace, reply, own, format)
    })
  }
}
