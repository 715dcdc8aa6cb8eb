interface Style {
  readonly first: string
  readonly separator: string
  readonly named: boolean
  readonly reserved: boolean
}

const styles: Readonly<Record<string, Style>> = {
  '': { first: '', separator: ',', named: false, reserved: false },
  '+': { first: '', separator: ',', named: false, reserved: true },
  '#': { first: '#', separator: ',', named: false, reserved: true },
  '.': { first: '.', separator: '.', named: false, reserved: false },
  '/': { first: '/', separator: '/', named: false, reserved: false },
  ';': { first: ';', separator: ';', named: true, reserved: false },
  '?': { first: '?', separator: '&', named: true, reserved: false },
  '&': { first: '&', separator: '&', named: true, reserved: false },
}

function encode(value: string, reserved: boolean): string {
  const text = value.toWellFormed()
  if (reserved)
    return encodeURI(text)
      .replace(/%25([0-9A-Fa-f]{2})/g, '%$1')
      .replace(/%5B/g, '[')
      .replace(/%5D/g, ']')
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * Expands an RFC 6570 template with string values, as linkifiers and code playgrounds have them.
 *
 * All operators and the prefix modifier are honoured; variables without a value vanish, as the RFC wants.
 */
export function expandTemplate(
  template: string,
  values: Readonly<Record<string, string | undefined>>,
): string {
  return template.replace(/\{([+#./;?&]?)([^{}]*)\}/g, (_, operator: string, list: string) => {
    const style = styles[operator] ?? { first: '', separator: ',', named: false, reserved: false }
    const parts: string[] = []
    for (const variable of list.split(',')) {
      const [, name = '', length] = /^([^:*]*)(?::(\d{1,4})|\*)?$/.exec(variable.trim()) ?? []
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      if (value === undefined) continue
      const encoded = encode(
        length === undefined ? value : [...value].slice(0, Number(length)).join(''),
        style.reserved,
      )
      const assignment = encoded === '' && operator === ';' ? name : `${name}=${encoded}`
      parts.push(style.named ? assignment : encoded)
    }
    return parts.length === 0 ? '' : style.first + parts.join(style.separator)
  })
}

const variableSpec =
  /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*(?::[1-9]\d{0,3}|\*)?$/

/** The variables of a template, each once, in order; undefined if the text is not an RFC 6570 template. */
export function templateVariables(template: string): string[] | undefined {
  const names: string[] = []
  const rest = template.replace(/\{([+#./;?&]?)([^{}]*)\}/g, (_, _operator: string, list: string) => {
    names.push(...list.split(','))
    return ''
  })
  if (/[{}\s<>"\\^`|\u0000-\u001f]/.test(rest) || names.some((name) => !variableSpec.test(name)))
    return undefined
  return [...new Set(names.map((name) => name.replace(/(?::\d+|\*)$/, '')))]
}
