/** A way of marking text. */
export type Format = 'bold' | 'italic' | 'link' | 'code' | 'list' | 'quote'

/** What the marked selection becomes. */
export function formatted(selection: string, kind: Format): string {
  switch (kind) {
    case 'bold':
      return `**${selection}**`
    case 'italic':
      return `*${selection}*`
    case 'link':
      return `[${selection}](url)`
    case 'code':
      return selection.includes('\n') ? `\`\`\`\n${selection}\n\`\`\`` : `\`${selection}\``
    case 'list':
      return selection
        .split('\n')
        .map((line) => `* ${line}`)
        .join('\n')
    case 'quote':
      return selection
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n')
  }
}

/** Marks the selection of a field. */
export function formatText(field: HTMLTextAreaElement, kind: Format): void {
  const { selectionStart, selectionEnd, value } = field
  const text = formatted(value.slice(selectionStart, selectionEnd), kind)
  // The old command is the only one that the field's undo remembers.
  if (!document.execCommand('insertText', false, text))
    field.setRangeText(text, selectionStart, selectionEnd, 'end')
}
