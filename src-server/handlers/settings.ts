import type { Handlers } from '../../src-shared/api/index.ts'
import { hashPassword, isPassword } from '../accounts.ts'
import { badRequest } from '../service-error.ts'
import { putSetting, settingOf } from '../settings.ts'
import type { HandlerContext } from './context.ts'

export const settings: Pick<Handlers<HandlerContext>, 'updateSettings'> = {
  updateSettings: (
    { full_name, email: _email, old_password, new_password, ...changes },
    { workspace, user },
  ) => {
    const { db } = workspace
    if (user.bot_type !== null) throw badRequest('This endpoint does not accept bot requests.')
    if (new_password !== undefined) {
      if (old_password === undefined || !isPassword(old_password, user.password_hash))
        throw badRequest('Wrong password!')
      if (new_password.length < 6) throw badRequest('New password is too weak!')
      db.run('UPDATE users SET password_hash = ? WHERE user_id = ?', hashPassword(new_password), user.user_id)
    }
    if (full_name !== undefined) {
      const name = full_name.trim()
      if (name === '' || name.length > 100 || /[*`\\>"@]/.test(name))
        throw badRequest('Invalid characters in name!')
      db.run('UPDATE users SET full_name = ? WHERE user_id = ?', name, user.user_id)
      workspace.publish(null, {
        type: 'realm_user',
        op: 'update',
        person: { user_id: user.user_id, full_name: name },
      })
    }
    for (const [property, value] of Object.entries(changes)) {
      if (value === undefined || value === settingOf(db, user.user_id, property)) continue
      putSetting(db, user.user_id, property, value)
      if (property === 'enable_drafts_synchronization' && value === false) {
        // No event: copies on the person's devices stay (specification, PATCH /settings, rule 3).
        db.run('DELETE FROM drafts WHERE user_id = ?', user.user_id)
      }
      workspace.publish([user.user_id], { type: 'user_settings', op: 'update', property, value })
    }
    return {}
  },
}
