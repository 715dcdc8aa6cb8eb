import { randomFrom, word, zipf } from './workload.ts'

const random = randomFrom(11)
const anyWord = zipf(4_000, random)
const words = (count: number) => Array.from({ length: count }, () => word(anyWord())).join(' ')
const some = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))

const lines = (count: number) =>
  Array.from(
    { length: count },
    () =>
      `<span class="k">let</span> <span class="n">${word(anyWord())}</span> <span class="o">=</span> <span class="mi">${some(1, 900)}</span>`,
  ).join('\n')

/** What people write, by frequency, in the form in which a server renders it. */
const kinds: readonly (readonly [share: number, make: () => string])[] = [
  [40, () => `<p>${words(some(2, 12))}</p>`],
  [20, () => `<p>${words(some(20, 60))}</p>`],
  [6, () => Array.from({ length: some(2, 4) }, () => `<p>${words(some(20, 60))}</p>`).join('')],
  [
    8,
    () =>
      `<p><span class="user-mention" data-user-id="${some(1, 900)}">@Person ${some(1, 900)}</span> ${words(some(4, 20))} <a href="https://example.org/${word(anyWord())}">${words(2)}</a></p>`,
  ],
  [
    6,
    () =>
      `<blockquote><p>${words(some(10, 40))}</p></blockquote><p>${words(some(4, 20))} <code>${word(anyWord())}</code></p>`,
  ],
  [
    6,
    () => `<ul>${Array.from({ length: some(2, 7) }, () => `<li>${words(some(3, 14))}</li>`).join('')}</ul>`,
  ],
  [
    5,
    () =>
      `<div class="codehilite" data-code-language="TypeScript"><pre><span></span><code>${lines(some(3, 30))}</code></pre></div>`,
  ],
  [
    4,
    () =>
      `<p>${words(some(3, 9))} <span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>`,
  ],
  [
    3,
    () =>
      `<table><thead><tr><th>${words(1)}</th><th>${words(1)}</th></tr></thead><tbody>${Array.from({ length: some(2, 6) }, () => `<tr><td>${words(2)}</td><td>${words(3)}</td></tr>`).join('')}</tbody></table>`,
  ],
  [
    2,
    () =>
      `<p>${words(4)} <span class="katex"><span class="katex-html" aria-hidden="true"><span class="base"><span class="strut" style="height:0.6944em;"></span><span class="mord mathnormal">x</span><span class="mrel">=</span><span class="mord">${some(1, 90)}</span></span></span></span></p>`,
  ],
]
const total = kinds.reduce((sum, [share]) => sum + share, 0)

/** The rendered text of one message; heights from one line to a screen. */
export function mixedHtml(): string {
  let rest = random() * total
  for (const [share, make] of kinds) {
    rest -= share
    if (rest < 0) return make()
  }
  return '<p>.</p>'
}
