import { app, type Session, type WebContents } from 'electron'
import { appOrigin } from './app-protocol.ts'

/** Denies pages of a session all permissions except for those that the app uses itself. */
export function denyPermissions(session: Session): void {
  const granted: readonly string[] = ['clipboard-sanitized-write', 'fullscreen']
  const isGranted = (permission: string, origin: string) =>
    origin.replace(/\/$/, '') === appOrigin && granted.includes(permission)
  session.setPermissionRequestHandler((_contents, permission, done, { requestingUrl }) =>
    done(isGranted(permission, originOf(requestingUrl))),
  )
  session.setPermissionCheckHandler((_contents, permission, origin) => isGranted(permission, origin))
  session.setDevicePermissionHandler(() => false)
}

/**
 * Prevents all pages of the app from navigating to another origin, opening windows and embedding pages. Links that
 * would open a window are passed to `openLink`.
 */
export function keepPagesInside(openLink: (url: string) => void): void {
  app.on('web-contents-created', (_event, contents: WebContents) => {
    contents.on('will-navigate', (event) => {
      if (originOf(event.url) !== appOrigin) event.preventDefault()
    })
    contents.on('will-redirect', (event) => {
      if (originOf(event.url) !== appOrigin) event.preventDefault()
    })
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(({ url }) => {
      openLink(url)
      return { action: 'deny' }
    })
  })
}

// `URL.origin` is null for custom schemes in Node.
const originOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*/.exec(url)?.[0] ?? ''
