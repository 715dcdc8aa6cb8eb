import { ElementType, parseDocument } from 'htmlparser2'

type ParsedNode = ReturnType<typeof parseDocument>['children'][number]

/** An element or a text of parsed HTML, with attributes in a fixed order. */
export type Tree = string | { tag: string; attributes: Record<string, string>; children: Tree[] }

function treeOf(nodes: readonly ParsedNode[]): Tree[] {
  const trees: Tree[] = []
  for (const node of nodes) {
    if (node.type === ElementType.Text) trees.push(node.data)
    else if ('attribs' in node) {
      const attributes = Object.fromEntries(Object.entries(node.attribs).sort(([a], [b]) => (a < b ? -1 : 1)))
      trees.push({ tag: node.name, attributes, children: treeOf(node.children) })
    } else throw new Error(`neither element nor text: ${node.type}`)
  }
  return trees
}

/** HTML as a tree, for comparing what it means and not how it is written. */
export function parseHtml(html: string): Tree[] {
  return treeOf(parseDocument(html).children)
}

/** All elements of some HTML, outer ones first. */
export function elementsOf(
  html: string,
): { tag: string; attributes: Record<string, string>; depth: number }[] {
  const found: { tag: string; attributes: Record<string, string>; depth: number }[] = []
  const walk = (trees: Tree[], depth: number): void => {
    for (const tree of trees) {
      if (typeof tree === 'string') continue
      found.push({ tag: tree.tag, attributes: tree.attributes, depth })
      walk(tree.children, depth + 1)
    }
  }
  walk(parseHtml(html), 1)
  return found
}

/** All text of some HTML. */
export function textOf(html: string): string {
  const join = (trees: Tree[]): string =>
    trees.map((tree) => (typeof tree === 'string' ? tree : join(tree.children))).join('')
  return join(parseHtml(html))
}
