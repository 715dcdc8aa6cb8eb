import { protocol, type Session } from 'electron'
import type { Engine } from '../../engine/contract.ts'
import { appContent, askedPart, refusal } from '../app-content.ts'

const scheme = 'app'
/** The one origin that our windows show. */
export const appOrigin = `${scheme}://dunlin`

/** Makes the app's scheme one with an origin of its own; only possible before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true, stream: true },
    },
  ])
}

/** Answers the app's addresses in a session: the built renderer, and pictures through the engine. */
export function serveApp(
  session: Session,
  parts: { readonly engine: Engine; readonly rendererDirectory: string },
): void {
  session.protocol.handle(scheme, async (request) => {
    const url = new URL(request.url)
    // Node gives schemes that are not the web's no origin, so it is put together here.
    const isOurs = `${url.protocol}//${url.host}` === appOrigin
    const isAllowed = isOurs && (request.method === 'GET' || request.method === 'HEAD')
    const { status, headers, body } = isAllowed
      ? await appContent({ ...parts, url, part: askedPart((name) => request.headers.get(name)) })
      : refusal(403, 'This is not served here.')
    return new Response(body, { status, headers })
  })
}
