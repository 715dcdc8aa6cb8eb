import type { FastifyInstance } from 'fastify'
import { confirmEmail, type Confirmation } from '../people/email-changes.ts'
import { addEmojiList } from '../organization/emoji-list.ts'
import { addJoinPage } from './join-page.ts'
import { escapeHtml } from '../../src-shared/markdown/html.ts'
import { sendPage } from './page-shell.ts'
import type { RateLimits } from '../rate-limits.ts'
import type { Workspace } from '../workspace.ts'

/** What a browser can request besides the API, below the root. */
export function addPages(server: FastifyInstance, workspace: Workspace, limits: RateLimits): void {
  addJoinPage(server, workspace, limits)
  addEmojiList(server)
  server.get<{ Params: { token: string } }>('/confirm-email/:token', (request, reply) => {
    const outcome = confirmEmail(workspace, request.params.token)
    const [status, heading, text] = said(outcome)
    return sendPage(reply, workspace, {
      status,
      title: 'Email address',
      body: `<h1>${heading}</h1><p class="quiet">${escapeHtml(text)}</p>`,
    })
  })
}

function said(outcome: Confirmation): readonly [status: number, heading: string, text: string] {
  switch (outcome.kind) {
    case 'changed':
      return [200, 'Address confirmed', `Your address is now ${outcome.email}.`]
    case 'taken':
      return [409, 'Address not changed', 'Another account has this address by now. Yours stays as it was.']
    case 'expired':
      return [
        404,
        'Address not changed',
        'This link has expired or was used already. Your address stays as it was; ask for the change once more.',
      ]
  }
}
