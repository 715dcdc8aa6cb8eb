import type { Handlers } from '../../src-shared/api/index.ts'
import type { ApiNavigationView } from '../../src-shared/api/navigation-views.ts'
import { badRequest, notFound } from '../service-error.ts'
import type { UserRow, Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

/** Built-in views: every client has them, under fixed names. */
const builtIn: readonly string[] = [
  'inbox',
  'recent',
  'feed',
  'drafts',
  'scheduled',
  'reminders',
  'narrow/is/mentioned',
  'narrow/is/starred',
  'narrow/has/reaction/sender/me',
]

const longestFragment = 1_000
const longestName = 100

interface ViewRow {
  readonly fragment: string
  readonly is_pinned: number
  readonly name: string | null
}

const apiView = ({ fragment, is_pinned, name }: ViewRow): ApiNavigationView => ({
  fragment,
  is_pinned: is_pinned === 1,
  name,
})

/** The views in a person's navigation, as the API shows them, oldest first. */
export const navigationViewsOf = ({ db }: Workspace, userId: number): ApiNavigationView[] =>
  db
    .all<ViewRow>(
      'SELECT fragment, is_pinned, name FROM navigation_views WHERE user_id = ? ORDER BY view_id',
      userId,
    )
    .map(apiView)

export const navigationViews: Pick<
  Handlers<HandlerContext>,
  'getNavigationViews' | 'addNavigationView' | 'editNavigationView' | 'removeNavigationView'
> = {
  getNavigationViews: (_input, { workspace, user }) => ({
    navigation_views: navigationViewsOf(workspace, user.user_id),
  }),
  addNavigationView: ({ fragment, is_pinned, name }, { workspace, user }) => {
    assertFragment(fragment)
    const view = { fragment, is_pinned, name: checkedName(fragment, name) }
    if (viewOf(workspace, user, fragment) !== undefined) throw badRequest('Navigation view already exists.')
    workspace.db.run(
      'INSERT INTO navigation_views (user_id, fragment, is_pinned, name) VALUES (?, ?, ?, ?)',
      user.user_id,
      view.fragment,
      view.is_pinned ? 1 : 0,
      view.name,
    )
    publish(workspace, user, { op: 'add', navigation_view: view })
    return {}
  },
  editNavigationView: ({ fragment, is_pinned, name }, { workspace, user }) => {
    const before = existing(workspace, user, fragment)
    const data = {
      ...(is_pinned === undefined || is_pinned === before.is_pinned ? {} : { is_pinned }),
      ...(name === undefined || checkedName(fragment, name) === before.name
        ? {}
        : { name: checkedName(fragment, name) }),
    }
    if (Object.keys(data).length === 0) return {}
    const after = { ...before, ...data }
    workspace.db.run(
      'UPDATE navigation_views SET is_pinned = ?, name = ? WHERE user_id = ? AND fragment = ?',
      after.is_pinned ? 1 : 0,
      after.name,
      user.user_id,
      fragment,
    )
    publish(workspace, user, { op: 'update', fragment, data })
    return {}
  },
  removeNavigationView: ({ fragment }, { workspace, user }) => {
    existing(workspace, user, fragment)
    workspace.db.run(
      'DELETE FROM navigation_views WHERE user_id = ? AND fragment = ?',
      user.user_id,
      fragment,
    )
    publish(workspace, user, { op: 'remove', fragment })
    return {}
  },
}

function viewOf({ db }: Workspace, user: UserRow, fragment: string): ApiNavigationView | undefined {
  const row = db.get<ViewRow>(
    'SELECT fragment, is_pinned, name FROM navigation_views WHERE user_id = ? AND fragment = ?',
    user.user_id,
    fragment,
  )
  return row === undefined ? undefined : apiView(row)
}

function existing(workspace: Workspace, user: UserRow, fragment: string): ApiNavigationView {
  const view = viewOf(workspace, user, fragment)
  if (view === undefined) throw notFound('Navigation view does not exist.')
  return view
}

function assertFragment(fragment: string): void {
  if (fragment.trim() === '' || fragment.includes('\0'))
    throw badRequest('A navigation view needs a fragment.')
  if (fragment.length > longestFragment)
    throw badRequest(`A fragment may have ${longestFragment} characters at most.`)
}

/** The name for a view with this fragment: built-in views have none, all others must have one. */
function checkedName(fragment: string, name: string | undefined): string | null {
  const trimmed = name?.trim() ?? ''
  if (builtIn.includes(fragment)) {
    if (name !== undefined) throw badRequest('Built-in views cannot have a name.')
    return null
  }
  if (trimmed === '' || trimmed.includes('\0')) throw badRequest('Views of one’s own need a name.')
  if ([...trimmed].length > longestName)
    throw badRequest(`The name of a view may have ${longestName} characters at most.`)
  return trimmed
}

const publish = (workspace: Workspace, user: UserRow, event: Readonly<Record<string, unknown>>): void =>
  workspace.publish([user.user_id], { type: 'navigation_view', ...event })
