// What the benchmarks use of libraries that do a part of the same work. They are installed only for benchmarks, so
// types are checked without them.

declare module 'minisearch' {
  export default class MiniSearch<Document> {
    constructor(options: { fields: (keyof Document & string)[] })
    add(document: Document): void
    search(
      text: string,
      options: { combineWith: 'AND'; prefix: boolean },
    ): { readonly id: number; readonly score: number }[]
  }
}

declare module 'flexsearch' {
  export class Index {
    constructor(options: { tokenize: 'strict' | 'forward' })
    add(id: number, text: string): void
    search(text: string, options: { limit: number }): (number | string)[]
  }
}

declare module 'yjs' {
  export class Text {
    insert(index: number, text: string): void
    delete(index: number, length: number): void
    toString(): string
  }
  export class Doc {
    clientID: number
    getText(name: string): Text
    transact(work: () => void): void
  }
  export function encodeStateAsUpdate(doc: Doc): Uint8Array
  export function applyUpdate(doc: Doc, update: Uint8Array): void
}

declare module 'tinybase' {
  export interface Indexes {
    setIndexDefinition(name: string, table: string, cell: string, sort: string): void
    getSliceRowIds(name: string, slice: string): string[]
  }
  export interface Store {
    setRow(table: string, row: string, cells: Readonly<Record<string, string | number | boolean>>): void
  }
  export function createStore(): Store
  export function createIndexes(store: Store): Indexes
}
