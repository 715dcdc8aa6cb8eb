import { widgetForm, type WidgetForm, type WidgetKind } from './widget-text.ts'

/** The poll or list that is being made from a text. What was entered is kept as long as the text stays the same. */
export class WidgetWriting {
  /** The initial content of the dialog; null while it is closed. */
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

  /** The dialog has closed, either with a message, or with null and what was entered. */
  end(made: string | null, form: WidgetForm): void {
    const kind = this.current?.kind
    this.#left = made === null && kind !== undefined ? { kind, text: this.#text(), form } : null
    this.current = null
  }
}
