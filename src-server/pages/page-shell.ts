import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../../src-shared/markdown/html.ts'
import { realmValue, type Workspace } from '../workspace.ts'

/**
 * The design tokens that the service's pages use, with their values in the light and the dark theme. Names and values
 * are the same as in the app.
 */
export const pageTokens: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  '--bg-window': ['#eff2f3', '#101517'],
  '--bg-sheet': ['#ffffff', '#181d20'],
  '--fill-control': ['#ffffff', '#1e2426'],
  '--text': ['#182125', '#e3e9eb'],
  '--text-2': ['#40494e', '#b6bfc3'],
  '--text-3': ['#5a6468', '#9aa4a8'],
  '--text-on-accent': ['#ffffff', '#ffffff'],
  '--border': ['rgba(20,44,54,.13)', 'rgba(206,226,234,.115)'],
  '--border-control': ['#858f93', '#707a7e'],
  '--accent': ['#1c7787', '#1f7a8a'],
  '--accent-hover': ['#0a6b7a', '#23808f'],
  '--accent-pressed': ['#005968', '#196a79'],
  '--focus-ring': ['#1c7787', '#5fb3c4'],
  '--focus-halo': ['rgba(28,119,135,.20)', 'rgba(95,179,196,.24)'],
  '--danger-text': ['#ac2531', '#ff9a97'],
  '--danger-fill': ['#fdeeed', '#2f191b'],
  '--danger-border': ['#efb5b3', '#70343a'],
}

const tokensOf = (theme: 0 | 1): string =>
  Object.entries(pageTokens)
    .map(([name, values]) => `${name}:${values[theme]}`)
    .join(';')

const style = `
:root{color-scheme:light dark;${tokensOf(0)}}
@media (prefers-color-scheme:dark){:root{${tokensOf(1)}}}
*{box-sizing:border-box;margin:0}
body{background:var(--bg-window);color:var(--text);font:14.5px/22px Inter,system-ui,-apple-system,"Segoe UI",sans-serif;
min-height:100vh;display:grid;grid-template-columns:minmax(0,1fr) minmax(420px,620px)}
.art{position:relative;overflow:hidden;margin:8px 0 8px 8px;border-radius:14px;color:#fff;
background:linear-gradient(172deg,#0f5666 0%,#0b4453 46%,#0a3441 100%)}
.art .shore{position:absolute;inset:0;width:100%;height:100%}
.mark{position:absolute;left:48px;bottom:44px;display:flex;gap:12px;align-items:center;font-size:17px;font-weight:620;
letter-spacing:-.018em}
.mark svg{width:36px;height:36px}
main{display:flex;flex-direction:column;justify-content:center;gap:16px;padding:40px 80px;min-width:0}
.who{display:flex;gap:12px;align-items:center}
.who img{width:44px;height:44px;border-radius:10px}
.who p{overflow-wrap:anywhere}
h1{font-size:22px;line-height:30px;letter-spacing:-.02em;font-weight:680;overflow-wrap:anywhere}
.quiet{color:var(--text-2)}
.hint{color:var(--text-3);font-size:12px;line-height:16px}
form{display:flex;flex-direction:column;gap:16px;margin-top:8px}
.field{display:flex;flex-direction:column;gap:6px}
label,legend,dt{font-weight:500}
fieldset{display:flex;flex-direction:column;gap:10px;border:0;padding:0;min-width:0}
legend{margin-bottom:8px;padding:0}
.choice{display:flex;gap:10px;align-items:start;overflow-wrap:anywhere}
.choice span span{display:block;font-weight:400}
input{font:inherit;color:inherit;width:100%;height:42px;padding:0 12px;border:0;border-radius:6px;
background:var(--fill-control);box-shadow:inset 0 0 0 1px var(--border-control)}
input[type=checkbox]{width:18px;height:18px;margin:2px 0 0;flex:none;accent-color:var(--accent);box-shadow:none}
input[type=checkbox]:focus-visible{outline:2px solid var(--focus-ring);outline-offset:2px}
input:focus{outline:2px solid transparent;
box-shadow:inset 0 0 0 1.5px var(--focus-ring),0 0 0 3px var(--focus-halo)}
input[aria-invalid]{box-shadow:inset 0 0 0 1.5px var(--danger-text)}
input[aria-invalid]:focus{box-shadow:inset 0 0 0 1.5px var(--danger-text),0 0 0 3px var(--focus-halo)}
button{font:inherit;font-weight:500;height:40px;padding:0 16px;border:0;border-radius:8px;margin-top:4px;cursor:pointer;
background:var(--accent);color:var(--text-on-accent)}
button:hover{background:var(--accent-hover)}
button:active{background:var(--accent-pressed)}
button:focus-visible{outline:2px solid var(--focus-ring);outline-offset:2px}
.problem{padding:10px 12px;border-radius:8px;background:var(--danger-fill);color:var(--danger-text);
box-shadow:inset 0 0 0 1px var(--danger-border)}
dl{display:grid;gap:12px;padding:16px;border-radius:10px;background:var(--bg-sheet);box-shadow:0 0 0 1px var(--border)}
dd{overflow-wrap:anywhere;user-select:all}
@media (max-width:900px){
body{grid-template-columns:minmax(0,1fr);grid-template-rows:148px auto;align-content:start}
.art{margin:8px 8px 0}
.art .shore{inset:auto 0 0;height:auto;aspect-ratio:812/884;transform:translateY(19%)}
.mark{left:24px;bottom:20px}
main{justify-content:start;width:100%;max-width:560px;margin-inline:auto;padding:32px 24px 40px}
}
@media (max-height:560px) and (max-width:900px){body{grid-template-rows:88px auto}}`

const bird =
  'M10 0C12-24 30-46 62-58 55-36 44-14 27 6 18 26 4 33-20 34L-54 38C-44 26-34 18-20 8-30-12-42-28-64-40-30-38-6-24 10 0Z'
const flock = [
  [256, 506, -97, 0.2],
  [287, 520, -100, 0.19],
  [312, 489, -102, 0.18],
  [345, 518, 94, 0.18],
  [378, 510, 92, 0.17],
  [412, 495, 90, 0.16],
  [441, 509, 87, 0.16],
  [459, 496, 86, 0.15],
  [489, 490, 82, 0.15],
  [509, 477, 80, 0.14],
  [526, 467, 76, 0.13],
  [581, 421, 66, 0.12],
] as const

/** Dusk in both themes: it is a picture, not a surface. */
const shore = `<svg class="shore" viewBox="0 0 812 884" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
<defs><path id="b" d="${bird}"/><radialGradient id="g" cx="612" cy="650" r="430" gradientUnits="userSpaceOnUse">
<stop stop-color="#ffc9a8" stop-opacity=".5"/><stop offset="1" stop-color="#7fb7c0" stop-opacity="0"/></radialGradient></defs>
<path fill="url(#g)" d="M0 0h812v884H0z"/><circle cx="612" cy="640" r="58" fill="#f3a37d"/>
<path fill="#0d4a58" d="M0 652c90-10 180-2 270-6s180-14 270-6 180 12 272 4v240H0z"/>
<path fill="#0b3f4c" d="M0 700c140-12 230 10 360 2s250-18 452-2v190H0z"/>
<path fill="#093541" d="M0 762c160-14 260 8 420-2s260-8 392 2v130H0z"/>
<g fill="#eef7f8">${flock
  .map(
    ([x, y, turn, size]) =>
      `<use href="#b" transform="translate(${x} ${y}) rotate(${turn}) scale(${size})"/>`,
  )
  .join('')}</g></svg>`

const mark = `<svg viewBox="0 0 128 128" aria-hidden="true"><g transform="translate(64 72) scale(.94) rotate(-6)">
<path fill="#6cc3d5" d="M10 0C12-24 30-46 62-58 55-36 44-14 27 6Z"/>
<path fill="#fff" d="M-54 38C-38 18-14 0 11-4 22-6 31-4 37 0 48 1 57 7 63 17 55 12 47 10 39 11 31 24 16 32-6 33.5-22 34.5-38 35-54 38Z"/>
<path fill="#f29a72" d="M15 1C4-20-24-38-64-40-40-28-26-10-13 14 0 18.5 13 12.5 15 1Z"/></g></svg>`

/** The content of a page of the service. */
export interface Page {
  readonly status: number
  /** Plain text, for the browser's tab. */
  readonly title: string
  /** HTML, for the column beside the picture. */
  readonly body: string
}

/**
 * Sends a page that looks like the app, in the browser's theme. It runs no script and loads nothing from elsewhere.
 * Its address may be a secret, so it is never cached, and sent to no other server as a referrer.
 */
export function sendPage(
  reply: FastifyReply,
  workspace: Workspace,
  { status, title, body }: Page,
): FastifyReply {
  const name = escapeHtml(realmValue(workspace.db, 'name'))
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'same-origin')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    .send(
      `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${name}</title>
<style>${style}</style>
</head>
<body>
<header class="art">${shore}<div class="mark">${mark}Dunlin</div></header>
<main>${body}</main>
</body>
</html>`,
    )
}
