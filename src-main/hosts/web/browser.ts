import { spawn } from 'node:child_process'

/** Whether a browser can be opened: on Linux, whether there is an X or Wayland display. */
export function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true
  return process.env['DISPLAY'] !== undefined || process.env['WAYLAND_DISPLAY'] !== undefined
}

/** Opens an address in the default browser; does nothing if there is none. */
export function openInBrowser(url: string): void {
  const [command, args] =
    process.platform === 'darwin'
      ? ['open', [url]]
      : process.platform === 'win32'
        ? ['rundll32', ['url.dll,FileProtocolHandler', url]]
        : ['xdg-open', [url]]
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
