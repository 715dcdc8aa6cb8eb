import { widgetForm, type WidgetForm, type WidgetKind } from './widget-text.ts'

/** The poll or list that is being made beside a text; what was said of one is there again while the text is the same. */
export class WidgetWriting {
  /** What the dialog begins with; null while there is none. */
  current = $state.raw<{ readonly kind: WidgetKind; readonly form: WidgetForm } | null>(null)
  readonly #text: () => string
  #left: { readonly kind: WidgetKind; readonly text: string; readonly form: WidgetForm } | null = null

  constructor(text: () => string) {
    this.#text = text
  }

  begin(kind: WidgetKind): void {
    const text = this.#text()
    const left = this.#left
    const form = left?.kind === kind && left.text === text ? left.form : widgetForm(text)
    this.current = { kind, form }
  }

  /** The dialog is gone: with a message, or without one and with what was said. */
  end(made: string | null, form: WidgetForm): void {
    const kind = this.current?.kind
    this.#left = made === null && kind !== undefined ? { kind, text: this.#text(), form } : null
    this.current = null
  }
}
