import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { logTextOf } from '../../src-shared/failure.ts'
import { openingElement, type FirstPicture, type OpeningAnswer } from '../../src-shared/bridge/opening.ts'
import type { BridgeServer } from '../../src-shared/bridge/serve.ts'
import { openingAnswers } from './opening.ts'

/** The module that the renderer's build provides for the host. */
interface Drawing {
  drawFirstPicture(opening: readonly OpeningAnswer[]): Promise<FirstPicture | null>
}

const drawings = new Map<string, Promise<Drawing | null>>()

/** Loads the module that renders the first picture; null if the build has none. The window then renders it itself. */
function drawingOf(rendererDirectory: string, log: (line: string) => void): Promise<Drawing | null> {
  const known = drawings.get(rendererDirectory)
  if (known !== undefined) return known
  const address = pathToFileURL(join(rendererDirectory, '../main/first-picture.js')).href
  // Built from src-renderer/first-picture.ts, which exports this interface.
  const drawing = (import(address) as Promise<Drawing>).catch((error: unknown) => {
    log(`first picture: ${logTextOf(error)}`)
    return null
  })
  drawings.set(rendererDirectory, drawing)
  return drawing
}

/** The root element of the built page, and the element that the window mounts in. */
const [root, place] = [/<html[^>]*>/, '<div id="app"></div>']

/**
 * How long a page that was rendered in advance can be used, in milliseconds. The window receives later changes itself.
 */
const aheadMs = 10_000

/** Pages that were rendered in advance and not used yet. */
const drawnAhead = new Map<BridgeServer, { readonly directory: string; readonly page: Promise<string> }>()

/**
 * The HTML page of a window. It contains the opening answers and, if the home view is the inbox, the rendered inbox, so
 * that it is painted before any script has run. It shows the current state, or that of the last `prerender`, whose page
 * is used once.
 */
export async function firstPage(
  server: BridgeServer,
  rendererDirectory: string,
  log: (line: string) => void,
): Promise<string> {
  const ahead = drawnAhead.get(server)
  drawnAhead.delete(server)
  return ahead?.directory === rendererDirectory ? ahead.page : drawPage(server, rendererDirectory, log)
}

/**
 * Renders the first page in advance, while the window is still being created, so that the window does not wait for it.
 */
export function prerender(
  server: BridgeServer,
  rendererDirectory: string,
  log: (line: string) => void,
): void {
  setImmediate(() => {
    const ahead = { directory: rendererDirectory, page: drawPage(server, rendererDirectory, log) }
    // The error is reported to whoever uses the page.
    ahead.page.catch(() => {})
    drawnAhead.set(server, ahead)
    setTimeout(() => {
      if (drawnAhead.get(server) === ahead) drawnAhead.delete(server)
    }, aheadMs).unref()
  })
}

async function drawPage(
  server: BridgeServer,
  rendererDirectory: string,
  log: (line: string) => void,
): Promise<string> {
  const page = await readFile(join(rendererDirectory, 'index.html'), 'utf8')
  if (!page.includes(place)) return page
  const opening = openingAnswers(server)
  const picture = await picturesOf(rendererDirectory, opening, log)
  // In JSON, "<" occurs only inside strings; escaped, it cannot end the script element.
  const answers = `<script type="application/json" id="${openingElement}">${opening.replaceAll('<', '\\u003c')}</script>`
  const attributes = Object.entries(picture?.attributes ?? {}).flatMap(([name, value]) =>
    value === null ? [] : `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
  )
  return page
    .replace(root, (tag) => (picture === null ? tag : `<html data-theme="light" ${attributes.join(' ')}>`))
    .replace(place, () => `<div id="app">${picture?.body ?? ''}</div>${answers}`)
}

async function picturesOf(
  rendererDirectory: string,
  opening: string,
  log: (line: string) => void,
): Promise<FirstPicture | null> {
  try {
    const drawing = await drawingOf(rendererDirectory, log)
    // Not validated, because the host itself made it.
    return (await drawing?.drawFirstPicture(JSON.parse(opening) as readonly OpeningAnswer[])) ?? null
  } catch (error) {
    log(`first picture: ${logTextOf(error)}`)
    // The window then renders itself.
    return null
  }
}
