import { spawn } from 'node:child_process'

/** Whether there is a screen on which a browser could open. */
export function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true
  return process.env['DISPLAY'] !== undefined || process.env['WAYLAND_DISPLAY'] !== undefined
}

/** Opens an address in the person's browser; a machine without one is not an error. */
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
