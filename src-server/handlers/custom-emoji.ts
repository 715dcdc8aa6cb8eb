import type { Handlers } from '../../src-shared/api/index.ts'
import { activeEmoji, customEmojiState } from '../markdown/custom-emoji.ts'
import { emojiCodeByName } from '../../src-shared/markdown/emoji.ts'
import { mayInRealm } from '../permissions/holders.ts'
import { assertMemberAndPerson, isAdministrator } from '../permissions/roles.ts'
import { storePicture } from '../files/picture-files.ts'
import { badRequest, notFound } from '../service-error.ts'
import type { Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

export const customEmoji: Pick<
  Handlers<HandlerContext>,
  'getCustomEmoji' | 'addCustomEmoji' | 'removeCustomEmoji'
> = {
  getCustomEmoji: (_input, { workspace }) => ({ emoji: customEmojiState(workspace.db) }),
  addCustomEmoji: async ({ emoji_name }, { workspace, user, file }) => {
    assertMemberAndPerson(user)
    const name = emoji_name.trim()
    if (!mayInRealm(workspace.db, user, 'can_add_custom_emoji_group'))
      throw badRequest('Insufficient permission')
    if (!/^[0-9a-z_-]*[0-9a-z]$/.test(name))
      throw badRequest(
        'Emoji names must contain only lowercase English letters, digits, underscores and dashes, and end with a letter or digit.',
      )
    const assertFree = () => {
      if (activeEmoji(workspace.db, name) !== undefined)
        throw badRequest('A custom emoji with this name already exists.')
    }
    assertFree()
    if (emojiCodeByName(name) !== undefined && !isAdministrator(user))
      throw badRequest('Only administrators can override default emoji.')
    if (file === null) throw badRequest('You must upload exactly one file.')
    const picture = await storePicture(workspace, file)
    // Somebody else may have added the name meanwhile.
    assertFree()
    workspace.db.run(
      'INSERT INTO realm_emoji (name, author_id, file_name, content_type, is_animated) VALUES (?, ?, ?, ?, ?)',
      name,
      user.user_id,
      picture.name,
      picture.contentType,
      picture.isAnimated ? 1 : 0,
    )
    publish(workspace)
    return {}
  },
  removeCustomEmoji: ({ emoji_name }, { workspace, user }) => {
    const row = activeEmoji(workspace.db, emoji_name)
    if (row === undefined) throw notFound(`Emoji '${emoji_name}' does not exist`)
    if (row.author_id !== user.user_id && !isAdministrator(user))
      throw badRequest('Must be an organization administrator or emoji author')
    workspace.db.run('UPDATE realm_emoji SET is_deactivated = 1 WHERE emoji_id = ?', row.emoji_id)
    publish(workspace)
    return {}
  },
}

const publish = (workspace: Workspace) =>
  workspace.publish(null, {
    type: 'realm_emoji',
    op: 'update',
    realm_emoji: customEmojiState(workspace.db),
  })
