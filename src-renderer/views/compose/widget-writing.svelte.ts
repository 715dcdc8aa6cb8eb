import { widgetForm, type WidgetForm, type WidgetKind } from './widget-text.ts'

/** The poll or list that is being made from a text. What is entered becomes the text at once, and so is never lost. */
export class WidgetWriting {
  /** The initial content of the dialog; null while it is closed. */
  current = $state.raw<{ readonly kind: WidgetKind; readonly form: WidgetForm } | null>(null)
  readonly #text: () => string

  constructor(text: () => string) {
    this.#text = text
  }

  begin(kind: WidgetKind): void {
    this.current = { kind, form: widgetForm(this.#text()) }
  }

  end(): void {
    this.current = null
  }
}
