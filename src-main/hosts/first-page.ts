import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openingElement, type FirstPicture, type OpeningAnswer } from '../../src-shared/bridge/opening.ts'
import type { BridgeServer } from '../../src-shared/bridge/serve.ts'
import { openingAnswers } from './opening.ts'

/** What the renderer's build makes for the host. */
interface Drawing {
  drawFirstPicture(opening: readonly OpeningAnswer[]): Promise<FirstPicture | null>
}

const drawings = new Map<string, Promise<Drawing | null>>()

/** What draws the window of a built renderer; null where it was not built along: then the window draws itself. */
function drawingOf(rendererDirectory: string): Promise<Drawing | null> {
  const known = drawings.get(rendererDirectory)
  if (known !== undefined) return known
  const address = pathToFileURL(join(rendererDirectory, '../main/first-picture.js')).href
  // Built from src-renderer/first-picture.ts, which has this form.
  const drawing = (import(address) as Promise<Drawing>).catch(() => null)
  drawings.set(rendererDirectory, drawing)
  return drawing
}

/** Where a built page begins, and the element in which its window is. */
const [root, place] = [/<html[^>]*>/, '<div id="app"></div>']

/** How long a page that was drawn ahead may be given out, ms: a window that opens with it hears what changed since. */
const aheadMs = 10_000

/** Pages that nobody has asked for yet. */
const drawnAhead = new Map<BridgeServer, { readonly directory: string; readonly page: Promise<string> }>()

/**
 * The page of a window: with what it opens with, and where it opens at the inbox with that drawn, so that it is painted
 * before any script has run. It shows what is so now, or was when it was drawn ahead; no page is given out twice.
 */
export async function firstPage(server: BridgeServer, rendererDirectory: string): Promise<string> {
  const ahead = drawnAhead.get(server)
  drawnAhead.delete(server)
  return ahead?.directory === rendererDirectory ? ahead.page : drawPage(server, rendererDirectory)
}

/**
 * Draws the first page before it is asked for, as soon as nothing else is to do: the window that will ask is still being
 * made, and need not wait for it.
 */
export function drawAhead(server: BridgeServer, rendererDirectory: string): void {
  setImmediate(() => {
    const ahead = { directory: rendererDirectory, page: drawPage(server, rendererDirectory) }
    // Whoever takes it is told.
    ahead.page.catch(() => {})
    drawnAhead.set(server, ahead)
    setTimeout(() => {
      if (drawnAhead.get(server) === ahead) drawnAhead.delete(server)
    }, aheadMs).unref()
  })
}

async function drawPage(server: BridgeServer, rendererDirectory: string): Promise<string> {
  const page = await readFile(join(rendererDirectory, 'index.html'), 'utf8')
  if (!page.includes(place)) return page
  const opening = openingAnswers(server)
  const picture = await picturesOf(rendererDirectory, opening)
  // In JSON this sign stands in texts alone; there it must not end the element.
  const answers = `<script type="application/json" id="${openingElement}">${opening.replaceAll('<', '\\u003c')}</script>`
  const attributes = Object.entries(picture?.attributes ?? {}).flatMap(([name, value]) =>
    value === null ? [] : `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
  )
  return page
    .replace(root, (tag) => (picture === null ? tag : `<html data-theme="light" ${attributes.join(' ')}>`))
    .replace(place, () => `<div id="app">${picture?.body ?? ''}</div>${answers}`)
}

async function picturesOf(rendererDirectory: string, opening: string): Promise<FirstPicture | null> {
  try {
    const drawing = await drawingOf(rendererDirectory)
    // The host's own words, in this form.
    return (await drawing?.drawFirstPicture(JSON.parse(opening) as readonly OpeningAnswer[])) ?? null
  } catch {
    // The window draws itself, and says what is wrong where something is.
    return null
  }
}
