import type { FastifyInstance } from 'fastify'
import { confirmEmail } from './email-changes.ts'
import { addEmojiList } from './emoji-list.ts'
import { addJoinPage } from './join-page.ts'
import { escapeHtml } from './markdown/html.ts'
import type { Workspace } from './workspace.ts'

/** What a browser may ask for beside the API, below the root. */
export function addPages(server: FastifyInstance, workspace: Workspace): void {
  addJoinPage(server, workspace)
  addEmojiList(server)
  server.get<{ Params: { token: string } }>('/confirm-email/:token', (request, reply) => {
    const outcome = confirmEmail(workspace, request.params.token)
    const [status, text] =
      outcome.kind === 'changed'
        ? [200, `Your address is now ${outcome.email}.`]
        : outcome.kind === 'taken'
          ? [409, 'Another account has this address by now. Your address has not changed.']
          : [404, 'This link has expired or was used already. Your address has not changed.']
    return reply
      .code(status)
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'")
      .send(`<!doctype html><title>Email address</title><p>${escapeHtml(text)}</p>`)
  })
}
