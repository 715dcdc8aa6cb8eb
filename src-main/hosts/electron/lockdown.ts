import { app, type Session, type WebContents } from 'electron'
import { appOrigin } from './app-protocol.ts'

/** Denies a session every permission that a page could ask for, but what this app uses itself. */
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
 * Keeps every page of the app where it is: no other origin, no new window, no embedded page. A link that asks for a
 * window is handed to `openLink`.
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

// Node knows no origin for schemes that are not the web's.
const originOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*/.exec(url)?.[0] ?? ''
