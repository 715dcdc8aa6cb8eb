import type { Handlers } from '../../src-shared/api/index.ts'
import { patternFault } from '../../src-shared/markdown/linkifier.ts'
import { templateVariables } from '../../src-shared/uri-template.ts'
import { linkifiers as linkifierRows } from '../markdown/render.ts'
import { assertAdministrator } from '../permissions/roles.ts'
import { badRequest } from '../service-error.ts'
import type { Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

/** The organization's linkifiers as the API shows them, in the order in which they apply. */
export function linkifierList(workspace: Workspace) {
  return linkifierRows(workspace.db).map(({ id, pattern, urlTemplate }) => ({
    id,
    pattern,
    url_template: urlTemplate,
  }))
}

/** The organization's code playgrounds as the API shows them. */
export function playgroundList(workspace: Workspace) {
  return workspace.db.all<{ id: number; name: string; pygments_language: string; url_template: string }>(
    'SELECT playground_id AS id, name, pygments_language, url_template FROM playgrounds ORDER BY playground_id',
  )
}

export const linkifiers: Pick<
  Handlers<HandlerContext>,
  | 'getLinkifiers'
  | 'reorderLinkifiers'
  | 'addLinkifier'
  | 'updateLinkifier'
  | 'removeLinkifier'
  | 'addPlayground'
  | 'removePlayground'
> = {
  getLinkifiers: (_input, { workspace }) => ({ linkifiers: linkifierList(workspace) }),
  reorderLinkifiers: ({ ordered_linkifier_ids: ids }, { workspace, user }) => {
    assertAdministrator(user)
    const { db } = workspace
    const known = linkifierList(workspace).map(({ id }) => id)
    if (ids.length !== known.length || known.some((id) => !ids.includes(id))) {
      throw badRequest('The ordered list must name every linkifier exactly once.')
    }
    db.transaction(() => {
      for (const [position, id] of ids.entries())
        db.run('UPDATE linkifiers SET position = ? WHERE linkifier_id = ?', position, id)
    })
    publishLinkifiers(workspace)
    return {}
  },
  addLinkifier: ({ pattern, url_template }, { workspace, user }) => {
    assertAdministrator(user)
    assertLinkifier(workspace, null, pattern, url_template)
    const { lastId: id } = workspace.db.run(
      `INSERT INTO linkifiers (pattern, url_template, position)
       VALUES (?, ?, (SELECT coalesce(max(position) + 1, 0) FROM linkifiers))`,
      pattern,
      url_template,
    )
    publishLinkifiers(workspace)
    return { id }
  },
  updateLinkifier: ({ filter_id, pattern, url_template }, { workspace, user }) => {
    assertAdministrator(user)
    assertKnown(workspace, filter_id)
    assertLinkifier(workspace, filter_id, pattern, url_template)
    workspace.db.run(
      'UPDATE linkifiers SET pattern = ?, url_template = ? WHERE linkifier_id = ?',
      pattern,
      url_template,
      filter_id,
    )
    publishLinkifiers(workspace)
    return {}
  },
  removeLinkifier: ({ filter_id }, { workspace, user }) => {
    assertAdministrator(user)
    assertKnown(workspace, filter_id)
    workspace.db.run('DELETE FROM linkifiers WHERE linkifier_id = ?', filter_id)
    publishLinkifiers(workspace)
    return {}
  },
  addPlayground: (input, { workspace, user }) => {
    assertAdministrator(user)
    const name = input.name.trim()
    const language = input.pygments_language.trim()
    const { url_template: template } = input
    if (name === '' || language === '') throw badRequest('A playground needs a name and a language.')
    if (name.length > 100 || language.length > 40) throw badRequest('Name or language is too long.')
    if (!/^[A-Za-z0-9 .+#_*/()-]+$/.test(language)) throw badRequest('Invalid characters in language.')
    const variables = templateVariables(template)
    if (variables === undefined || !/^https?:\/\//i.test(template)) throw badRequest('Invalid URL template.')
    if (variables.length !== 1 || variables[0] !== 'code') {
      throw badRequest('The URL template must contain exactly one variable, named code.')
    }
    const taken = workspace.db.get(
      'SELECT 1 FROM playgrounds WHERE name = ? AND pygments_language = ?',
      name,
      language,
    )
    if (taken !== undefined) throw badRequest('There is a playground of that name for that language already.')
    const { lastId: id } = workspace.db.run(
      'INSERT INTO playgrounds (name, pygments_language, url_template) VALUES (?, ?, ?)',
      name,
      language,
      template,
    )
    publishPlaygrounds(workspace)
    return { id }
  },
  removePlayground: ({ playground_id }, { workspace, user }) => {
    assertAdministrator(user)
    const { changes } = workspace.db.run('DELETE FROM playgrounds WHERE playground_id = ?', playground_id)
    if (changes === 0) throw badRequest('Invalid playground')
    publishPlaygrounds(workspace)
    return {}
  },
}

function assertKnown(workspace: Workspace, id: number): void {
  if (workspace.db.get('SELECT 1 FROM linkifiers WHERE linkifier_id = ?', id) === undefined) {
    throw badRequest('Linkifier not found.')
  }
}

/** Refuses a pattern or template that cannot work; `errors` says what is wrong, by field. */
function assertLinkifier(workspace: Workspace, id: number | null, pattern: string, template: string): void {
  const errors: Record<string, string[]> = {}
  const fault = patternFault(pattern)
  if (fault.kind === 'bad') errors['pattern'] = [fault.reason]
  const variables = templateVariables(template)
  if (variables === undefined || !/^[a-z][a-z0-9+.-]*:/i.test(template)) {
    errors['url_template'] = ['Invalid URL template.']
  } else if (/^(?:javascript|data|vbscript|file):/i.test(template)) {
    errors['url_template'] = ['Links of this kind are not allowed.']
  } else if (fault.kind === 'good') {
    const groups = new Set(fault.groups)
    const foreign = variables.filter((name) => !groups.has(name))
    const unused = [...groups].filter((name) => !variables.includes(name))
    if (foreign.length > 0) {
      errors['url_template'] = [`Not a group of the pattern: ${foreign.join(', ')}.`]
    } else if (unused.length > 0) {
      errors['pattern'] = [`Not used in the URL template: ${unused.join(', ')}.`]
    }
  }
  const twin = workspace.db.get<{ linkifier_id: number }>(
    'SELECT linkifier_id FROM linkifiers WHERE pattern = ? AND linkifier_id IS NOT ?',
    pattern,
    id,
  )
  if (twin !== undefined) errors['pattern'] ??= ['There is a linkifier with this pattern already.']
  const reason = Object.values(errors)[0]?.[0]
  if (reason !== undefined) throw badRequest(reason, { errors })
}

const publishLinkifiers = (workspace: Workspace) =>
  workspace.publish(null, { type: 'realm_linkifiers', realm_linkifiers: linkifierList(workspace) })

const publishPlaygrounds = (workspace: Workspace) =>
  workspace.publish(null, { type: 'realm_playgrounds', realm_playgrounds: playgroundList(workspace) })
