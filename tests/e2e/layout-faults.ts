import type { Page } from 'playwright-core'

/**
 * The faults in the window's layout, one line each: elements outside the window, parts that scroll sideways although
 * they should not, text that is cut without a sign, controls that overlap or are out of reach.
 */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(findFaults)

/** Runs in the page, so it can use nothing from outside. */
function findFaults(): string[] {
  const faults = new Set<string>()
  const slack = 1.5
  const { innerWidth: width, innerHeight: height } = window

  const named = (element: Element): string => {
    const name = (one: Element) =>
      `${one.tagName.toLowerCase()}${[...one.classList]
        .filter((word) => !word.startsWith('svelte-'))
        .map((word) => `.${word}`)
        .join('')}`
    const words = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)
    const parents = [element.parentElement?.parentElement, element.parentElement]
    return `${[...parents.filter((one) => one != null), element].map(name).join(' > ')} “${words}”`
  }
  const styles = new Map<Element, CSSStyleDeclaration>()
  const styleOf = (element: Element) => {
    const style = styles.get(element) ?? getComputedStyle(element)
    styles.set(element, style)
    return style
  }
  /** Drawn by foreign rules, or a hint that may be left out. */
  const isLeftAlone = (element: Element): boolean =>
    element.closest('.katex, svg, .keys > span, .ft > span, [hidden], [aria-hidden="true"]:not(.feed *)') !==
      null || isUnseen(element)
  /** For screen readers only: clipped away completely. */
  function isUnseen(element: Element): boolean {
    for (let one: Element | null = element; one !== null; one = one.parentElement)
      if (styleOf(one).clipPath === 'inset(50%)') return true
    return false
  }
  /** Hidden as a whole, with something beside it that says enough. */
  const isFoldedAway = (box: DOMRect, element: Element): boolean => {
    const edge = element.closest('.draft-words, .page-title')?.getBoundingClientRect()
    return edge !== undefined && box.top >= edge.bottom - slack
  }
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const scrolls = (style: CSSStyleDeclaration, axis: 'X' | 'Y') =>
    /auto|scroll/.test(style[`overflow${axis}`])
  const clips = (style: CSSStyleDeclaration, axis: 'X' | 'Y') => /hidden|clip/.test(style[`overflow${axis}`])
  /** The element that contains another's box: its parent, unless it is taken out of the flow. */
  const holderOf = (element: Element): Element | null => {
    const { position } = styleOf(element)
    if (position === 'fixed') return null
    let holder = element.parentElement
    if (position === 'absolute')
      while (
        holder !== null &&
        styleOf(holder).position === 'static' &&
        !/paint|layout|strict|content/.test(styleOf(holder).contain) &&
        styleOf(holder).transform === 'none'
      )
        holder = holder.parentElement
    return holder
  }

  /** Only elements near the view are checked; far away rows are like near ones. */
  const isNear = ({ left, right, top, bottom }: DOMRect): boolean =>
    bottom > -height && top < 2 * height && right > -4 * width && left < 5 * width

  /** The part of a box that can be seen or scrolled to. */
  function seen(
    element: Element,
    box: DOMRect,
  ): { left: number; right: number; top: number; bottom: number } {
    let { left, right, top, bottom } = box
    let [freeX, freeY] = [false, false]
    for (let holder = holderOf(element); holder !== null; holder = holderOf(holder)) {
      if (holder === document.documentElement || holder === document.body) break
      const style = styleOf(holder)
      const edge = holder.getBoundingClientRect()
      if (scrolls(style, 'X')) freeX = true
      if (scrolls(style, 'Y')) freeY = true
      if (!freeX && clips(style, 'X')) {
        left = Math.max(left, edge.left)
        right = Math.min(right, edge.right)
      }
      if (!freeY && clips(style, 'Y')) {
        top = Math.max(top, edge.top)
        bottom = Math.min(bottom, edge.bottom)
      }
      if (freeX && freeY) break
    }
    if (!freeX) [left, right] = [Math.max(left, 0), Math.min(right, width)]
    if (!freeY) [top, bottom] = [Math.max(top, 0), Math.min(bottom, height)]
    return { left, right, top, bottom }
  }

  /** The visible part of an element at the present scroll positions; null if there is none. */
  function sightOf(element: Element, part: ReturnType<typeof seen>): ReturnType<typeof seen> | null {
    let { left, right, top, bottom } = part
    for (let holder = holderOf(element); holder !== null; holder = holderOf(holder)) {
      const style = styleOf(holder)
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue
      const edge = holder.getBoundingClientRect()
      ;[left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)]
      ;[top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)]
    }
    return right - left > 0 && bottom - top > 0 ? { left, right, top, bottom } : null
  }

  const beyond = () =>
    [...document.body.querySelectorAll('*')]
      .filter((element) => {
        const box = element.getBoundingClientRect()
        return box.right > width + 1 || box.bottom > height + 1
      })
      .map((one) => `${named(one)} ${styleOf(one).position}`)
      .slice(0, 3)
      .join('; ')

  if (document.documentElement.scrollWidth > width)
    faults.add(`the page is wider than the window: ${beyond()}`)
  if (document.documentElement.scrollHeight > height)
    faults.add(`the page is higher than the window: ${beyond()}`)

  // Only content that cannot be read otherwise and toolbars may scroll sideways.
  const mayScroll =
    'pre, .codehilite, .katex-display, table, .table-scroll, textarea, input, [role=toolbar], .snav .sb-scroll'
  for (const element of document.querySelectorAll('*')) {
    if (!isNear(element.getBoundingClientRect())) continue
    if (element.scrollWidth <= element.clientWidth + slack || isLeftAlone(element)) continue
    if (scrolls(styleOf(element), 'X') && isShown(element) && !element.matches(mayScroll))
      faults.add(`scrolls sideways by ${element.scrollWidth - element.clientWidth}: ${named(element)}`)
  }

  // Text that is cut.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement
    if (element === null || !isNear(element.getBoundingClientRect())) continue
    if (node.textContent?.trim() === '' || element.matches('option, textarea, title, style')) continue
    if (isLeftAlone(element) || !isShown(element)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    if (box.width === 0 || box.height === 0 || isFoldedAway(box, element)) continue
    let [freeX, freeY, told] = [false, false, false]
    for (let holder: Element | null = element; holder !== null; holder = holderOf(holder)) {
      if (holder === document.documentElement || holder === document.body) break
      const style = styleOf(holder)
      const edge = holder.getBoundingClientRect()
      // An ellipsis appears only if the text is a direct child of the box that cuts it.
      const isBlock = style.display !== 'inline'
      if (clips(style, 'X') && style.textOverflow === 'ellipsis') {
        const isDirect = holder === element || !/flex|grid/.test(style.display)
        if (isDirect) {
          told = true
          // A state takes few words, and half of them say nothing.
          if (element.closest('.dsync') !== null && holder.scrollWidth > holder.clientWidth + slack)
            faults.add(`half a state: ${named(holder)}`)
          if (holder.scrollWidth > holder.clientWidth + slack && holder.clientWidth < 18)
            faults.add(`no room for a letter (${holder.clientWidth}): ${named(holder)}`)
        }
      }
      if (style.webkitLineClamp !== 'none' || holder.matches('.is-cut, .is-folded pre')) told = true
      if (!isBlock) continue
      if (
        !freeX &&
        !told &&
        clips(style, 'X') &&
        (box.right > edge.right + slack || box.left < edge.left - slack)
      )
        faults.add(`cut at the side by ${named(holder)}: ${named(element)}`)
      if (!freeY && !told && clips(style, 'Y') && (box.bottom > edge.bottom + 4 || box.top < edge.top - 4))
        faults.add(`cut above or below by ${named(holder)}: ${named(element)}`)
      if (scrolls(style, 'X')) freeX = true
      if (scrolls(style, 'Y')) freeY = true
    }
    if (!freeX && !told && (box.right > width + slack || box.left < -slack))
      faults.add(`text beside the window: ${named(element)}`)
    if (!freeY && !told && (box.bottom > height + 4 || box.top < -4))
      faults.add(`text above or below the window: ${named(element)}`)
  }

  // Controls must be in reach and must not overlap.
  const controls = [
    ...document.querySelectorAll(
      'button, a[href], input, textarea, select, [role=button], [role=menuitem], [role=option], [role=checkbox], [role=switch], [role=tab], summary',
    ),
  ].filter(
    (element) =>
      isNear(element.getBoundingClientRect()) &&
      !isLeftAlone(element) &&
      isShown(element) &&
      styleOf(element).pointerEvents !== 'none' &&
      !element.matches('.under, :disabled'),
  )
  const layerOf = (element: Element): Element | null => {
    for (let one: Element | null = element; one !== null; one = one.parentElement) {
      const { position, zIndex } = styleOf(one)
      if (position === 'fixed' || (position !== 'static' && zIndex !== 'auto')) return one
      if (one.matches('dialog, [role=dialog], [role=menu], [role=listbox], [popover], .cmp-wrap.new'))
        return one
    }
    return null
  }
  const placed = controls.flatMap((element) => {
    // A link in running text has one box per line.
    const boxes =
      styleOf(element).display === 'inline'
        ? [...element.getClientRects()]
        : [element.getBoundingClientRect()]
    return boxes.flatMap((box) => {
      if (box.width < 2 || box.height < 2) return []
      const part = seen(element, box)
      const area = Math.max(0, part.right - part.left) * Math.max(0, part.bottom - part.top)
      if (area < box.width * box.height * 0.6) faults.add(`out of reach: ${named(element)}`)
      const inSight = sightOf(element, part)
      return inSight === null ? [] : [{ element, part: inSight, layer: layerOf(element) }]
    })
  })
  placed.forEach((one, index) => {
    for (const other of placed.slice(index + 1)) {
      if (one.layer !== other.layer || one.element === other.element) continue
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue
      const across = Math.min(one.part.right, other.part.right) - Math.max(one.part.left, other.part.left)
      const down = Math.min(one.part.bottom, other.part.bottom) - Math.max(one.part.top, other.part.top)
      if (across > 3 && down > 3)
        faults.add(
          `one upon another by ${Math.round(across)}×${Math.round(down)}: ${named(one.element)} and ${named(other.element)}`,
        )
    }
  })
  return [...faults]
}
