import type { MarkdownIt, StateBlock } from 'markdown-it'

/** Larger tables stay text: a few hundred characters could otherwise create tens of thousands of cells. */
const maxCells = 4000

function isModest(state: StateBlock, startLine: number, endLine: number): boolean {
  const header = state.src.slice(state.bMarks[startLine], state.eMarks[startLine])
  const columns = header.split('|').length
  let lines = 1
  while (startLine + lines < endLine && !state.isEmpty(startLine + lines)) lines++
  return columns * lines <= maxCells
}

/** Tables as markdown-it reads them, limited in size, with the alignment written the way the service writes it. */
export function tablePlugin(md: MarkdownIt): void {
  const table = md.block.ruler.__rules__.find(({ name }) => name === 'table')?.fn
  if (!table) throw new Error('markdown-it has no table rule')
  md.block.ruler.at(
    'table',
    (state, startLine, endLine, silent) => {
      if (!table(state, startLine, endLine, true)) return false
      if (!isModest(state, startLine, endLine)) return false
      return silent || table(state, startLine, endLine, false)
    },
    { alt: ['paragraph'] },
  )
  md.core.ruler.push('cell_alignment', (state) => {
    for (const token of state.tokens) {
      if (token.type !== 'th_open' && token.type !== 'td_open') continue
      const alignment = /(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))
      if (alignment) token.attrSet('style', `text-align: ${alignment[0]};`)
    }
  })
}
