import { protocol, type Session } from 'electron'
import type { Engine } from '../../engine/contract.ts'
import { appContent, requestedRange, refusal } from '../app-content.ts'

const scheme = 'app'
/** The only origin that our windows show. */
export const appOrigin = `${scheme}://dunlin`

/** Registers the app's scheme as one with origins. Must be called before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true, stream: true },
    },
  ])
}

/** Handles requests for the app's scheme in a session: the built renderer, and media through the engine. */
export function serveApp(
  session: Session,
  parts: { readonly engine: Engine; readonly rendererDirectory: string; log(line: string): void },
): void {
  session.protocol.handle(scheme, async (request) => {
    const url = new URL(request.url)
    // `URL.origin` is null for custom schemes in Node.
    const isOurs = `${url.protocol}//${url.host}` === appOrigin
    const isAllowed = isOurs && (request.method === 'GET' || request.method === 'HEAD')
    const { status, headers, body } = isAllowed
      ? await appContent({ ...parts, url, part: requestedRange((name) => request.headers.get(name)) })
      : refusal(403, 'This is not served here.')
    return new Response(body, { status, headers })
  })
}
