const copied = [
  'fontFamily',
  'fontSize',
  'fontWeight',
  'fontStyle',
  'letterSpacing',
  'lineHeight',
  'tabSize',
  'textIndent',
  'direction',
  'unicodeBidi',
  'paddingTop',
  'paddingRight',
  'paddingBottom',
  'paddingLeft',
  'borderTopWidth',
  'borderRightWidth',
  'borderBottomWidth',
  'borderLeftWidth',
] as const

/**
 * The position of the character at an offset, in pixels from the top left corner of the field as it is scrolled now.
 */
export function caretPlace(field: HTMLTextAreaElement, offset: number): { left: number; top: number } {
  // A field cannot tell; a copy of it made of plain elements can.
  const copy = document.createElement('div')
  const style = getComputedStyle(field)
  for (const name of copied) copy.style[name] = style[name]
  Object.assign(copy.style, {
    position: 'absolute',
    visibility: 'hidden',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
    boxSizing: 'border-box',
    width: `${field.clientWidth}px`,
  })
  copy.textContent = field.value.slice(0, offset)
  const mark = document.createElement('span')
  mark.textContent = '\u200b'
  copy.append(mark)
  document.body.append(copy)
  const place = { left: mark.offsetLeft, top: mark.offsetTop - field.scrollTop }
  copy.remove()
  return place
}
