import type { Handlers } from '../../src-shared/api/index.ts'
import type { ApiSnippet } from '../../src-shared/api/snippets.ts'
import { badRequest, notFound } from '../service-error.ts'
import type { UserRow, Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const longestTitle = 60
const longestContent = 10_000

const columns = 'snippet_id AS id, title, content, date_created'

/** A person's saved snippets as the API shows them, oldest first. */
export function snippetsOf(workspace: Workspace, userId: number): ApiSnippet[] {
  return workspace.db.all<ApiSnippet>(
    `SELECT ${columns} FROM saved_snippets WHERE user_id = ? ORDER BY snippet_id`,
    userId,
  )
}

export const snippets: Pick<
  Handlers<HandlerContext>,
  'getSavedSnippets' | 'createSavedSnippet' | 'editSavedSnippet' | 'deleteSavedSnippet'
> = {
  getSavedSnippets: (_input, { workspace, user }) => ({
    saved_snippets: snippetsOf(workspace, user.user_id),
  }),
  createSavedSnippet: (input, { workspace, user }) => {
    const title = checkedText('title', input.title, longestTitle)
    const content = checkedText('content', input.content, longestContent)
    const now = workspace.now()
    const { lastId: id } = workspace.db.run(
      'INSERT INTO saved_snippets (user_id, title, content, date_created) VALUES (?, ?, ?, ?)',
      user.user_id,
      title,
      content,
      now,
    )
    publish(workspace, user, { op: 'add', saved_snippet: { id, title, content, date_created: now } })
    return { saved_snippet_id: id }
  },
  editSavedSnippet: (input, { workspace, user }) => {
    const before = own(workspace, user, input.saved_snippet_id)
    const after = {
      ...before,
      ...(input.title === undefined ? {} : { title: checkedText('title', input.title, longestTitle) }),
      ...(input.content === undefined
        ? {}
        : { content: checkedText('content', input.content, longestContent) }),
    }
    if (after.title === before.title && after.content === before.content) return {}
    workspace.db.run(
      'UPDATE saved_snippets SET title = ?, content = ? WHERE snippet_id = ?',
      after.title,
      after.content,
      before.id,
    )
    publish(workspace, user, { op: 'update', saved_snippet: after })
    return {}
  },
  deleteSavedSnippet: ({ saved_snippet_id }, { workspace, user }) => {
    own(workspace, user, saved_snippet_id)
    workspace.db.run('DELETE FROM saved_snippets WHERE snippet_id = ?', saved_snippet_id)
    publish(workspace, user, { op: 'remove', saved_snippet_id })
    return {}
  },
}

function own(workspace: Workspace, user: UserRow, id: number): ApiSnippet {
  const row = workspace.db.get<ApiSnippet>(
    `SELECT ${columns} FROM saved_snippets WHERE snippet_id = ? AND user_id = ?`,
    id,
    user.user_id,
  )
  if (row === undefined) throw notFound('Saved snippet does not exist.')
  return row
}

function checkedText(name: 'title' | 'content', text: string, longest: number): string {
  const trimmed = text.trim()
  if (trimmed === '') throw badRequest(`A snippet's ${name} must not be empty.`)
  if (trimmed.includes('\0')) throw badRequest(`A snippet's ${name} must not contain null bytes.`)
  if ([...trimmed].length > longest) {
    throw badRequest(`A snippet's ${name} may have ${longest} characters at most.`)
  }
  return trimmed
}

const publish = (workspace: Workspace, user: UserRow, event: Record<string, unknown>) =>
  workspace.publish([user.user_id], { type: 'saved_snippets', ...event })
