import type { ApiDraft, ApiDraftContent } from '../../src-shared/api/drafts.ts'
import type { Handlers } from '../../src-shared/api/index.ts'
import { normalizeContent } from '../messages/messages.ts'
import { normalizeTopic } from '../topics.ts'
import { accessibleChannel } from '../permissions/channels.ts'
import { badRequest, notFound } from '../service-error.ts'
import { settingOf } from '../people/settings.ts'
import { knownPeople } from '../people/user-access.ts'
import type { UserRow, Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

interface DraftRow {
  draft_id: number
  type: ApiDraft['type']
  recipients: string
  topic: string
  content: string
  timestamp: number
}

/** A person's drafts as the API shows them, oldest edit first; all of them, or the newest `most`. */
export function draftsOf(workspace: Workspace, userId: number, most = -1): ApiDraft[] {
  return workspace.db
    .all<DraftRow>(
      `SELECT * FROM (SELECT * FROM drafts WHERE user_id = ? ORDER BY timestamp DESC, draft_id DESC LIMIT ?)
       ORDER BY timestamp, draft_id`,
      userId,
      most,
    )
    .map(fromRow)
}

// The recipients were written by `checked` below.
const fromRow = (row: DraftRow): ApiDraft => ({
  id: row.draft_id,
  type: row.type,
  to: JSON.parse(row.recipients) as number[],
  topic: row.topic,
  content: row.content,
  timestamp: row.timestamp,
})

export const drafts: Pick<
  Handlers<HandlerContext>,
  'getDrafts' | 'createDrafts' | 'editDraft' | 'deleteDraft'
> = {
  getDrafts: (_input, { workspace, user }) => {
    assertKept(workspace, user)
    const list = draftsOf(workspace, user.user_id)
    return { count: list.length, drafts: list }
  },
  createDrafts: (input, { workspace, user }) => {
    assertKept(workspace, user)
    const contents = input.drafts.map((draft) => checked(workspace, user, draft))
    const created = workspace.db.transaction(() =>
      contents.map((draft): ApiDraft => {
        const { lastId } = workspace.db.run(
          'INSERT INTO drafts (user_id, type, recipients, topic, content, timestamp) VALUES (?, ?, ?, ?, ?, ?)',
          user.user_id,
          draft.type,
          JSON.stringify(draft.to),
          draft.topic,
          draft.content,
          draft.timestamp,
        )
        return { id: lastId, ...draft }
      }),
    )
    workspace.publish([user.user_id], { type: 'drafts', op: 'add', drafts: created })
    return { ids: created.map(({ id }) => id) }
  },
  editDraft: ({ draft_id, draft: content }, { workspace, user }) => {
    assertKept(workspace, user)
    assertOwn(workspace, user, draft_id)
    const draft = checked(workspace, user, content)
    workspace.db.run(
      'UPDATE drafts SET type = ?, recipients = ?, topic = ?, content = ?, timestamp = ? WHERE draft_id = ?',
      draft.type,
      JSON.stringify(draft.to),
      draft.topic,
      draft.content,
      draft.timestamp,
      draft_id,
    )
    workspace.publish([user.user_id], { type: 'drafts', op: 'update', draft: { id: draft_id, ...draft } })
    return {}
  },
  deleteDraft: ({ draft_id }, { workspace, user }) => {
    assertKept(workspace, user)
    assertOwn(workspace, user, draft_id)
    workspace.db.run('DELETE FROM drafts WHERE draft_id = ?', draft_id)
    workspace.publish([user.user_id], { type: 'drafts', op: 'remove', draft_id })
    return {}
  },
}

function assertKept(workspace: Workspace, user: UserRow): void {
  if (settingOf(workspace.db, user.user_id, 'enable_drafts_synchronization') !== true) {
    throw badRequest('User has disabled synchronizing drafts.')
  }
}

function assertOwn(workspace: Workspace, user: UserRow, id: number): void {
  const row = workspace.db.get('SELECT 1 FROM drafts WHERE draft_id = ? AND user_id = ?', id, user.user_id)
  if (row === undefined) throw notFound('Draft does not exist')
}

function checked(
  workspace: Workspace,
  user: UserRow,
  draft: ApiDraftContent,
): ApiDraftContent & { timestamp: number } {
  if (draft.topic.includes('\0')) throw badRequest('Topic must not contain null bytes')
  const content = normalizeContent(draft.content)
  const timestamp = Math.floor(draft.timestamp ?? workspace.now())
  if (draft.type === '') return { type: '', to: [], topic: '', content, timestamp }
  if (draft.type === 'stream') {
    const [channelId] = draft.to
    if (channelId === undefined || draft.to.length !== 1)
      throw badRequest('Must specify exactly 1 channel ID for channel messages')
    accessibleChannel(workspace.db, user, channelId)
    return {
      type: 'stream',
      to: [channelId],
      topic: normalizeTopic(workspace.db, draft.topic),
      content,
      timestamp,
    }
  }
  const known = knownPeople(workspace.db, user)
  for (const id of draft.to) if (known(id) === undefined) throw badRequest(`Invalid user ID ${id}`)
  const others = [...new Set(draft.to)].filter((id) => id !== user.user_id).sort((a, b) => a - b)
  return {
    type: 'private',
    to: draft.to.length > 0 && others.length === 0 ? [user.user_id] : others,
    topic: '',
    content,
    timestamp,
  }
}
