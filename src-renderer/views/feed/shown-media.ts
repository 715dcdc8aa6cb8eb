import { emojiFromCode } from '../../../src-shared/model/emoji.ts'
import { previewAddresses } from './preview-addresses.ts'

/** The name of an emoji in the form that people type. */
const typedName = (name: string) => `:${name.trim().replaceAll(':', '').replaceAll(' ', '_')}:`

/** Shows the emoji of a message's content as pictures or as names. Running it again changes nothing. */
export function showEmoji(node: HTMLElement, asText: boolean): void {
  for (const emoji of node.querySelectorAll<HTMLElement>('span.emoji')) {
    const code = /\bemoji-([0-9a-f-]+)\b/.exec(emoji.className)?.[1] ?? ''
    const name = emoji.title || emoji.getAttribute('aria-label') || ''
    if (name === '') continue
    emoji.textContent = asText ? typedName(name) : emojiFromCode(code)
    emoji.classList.toggle('as-text', asText)
  }
  for (const picture of node.querySelectorAll<HTMLImageElement>('img.emoji')) {
    const isShown = picture.nextElementSibling?.classList.contains('emoji-name') === true
    picture.hidden = asText
    if (asText && !isShown) {
      const name = document.createElement('span')
      name.className = 'emoji-name'
      name.textContent = typedName(picture.alt || picture.title)
      picture.after(name)
    } else if (!asText && isShown) picture.nextElementSibling?.remove()
  }
}

/** Makes animated previews move always, while the pointer or the focus is on them, or never. Returns how to stop. */
export function animatePreviews(node: HTMLElement, when: 'always' | 'on-hover' | 'never'): () => void {
  const ends: (() => void)[] = []
  for (const picture of node.querySelectorAll<HTMLImageElement>('img[src*="-anim."]')) {
    const addresses = previewAddresses(picture.getAttribute('src') ?? '')
    if (addresses === null || when === 'always') continue
    const { moving, still } = addresses
    picture.src = still
    const holder = picture.closest('a') ?? picture
    const move = () => (picture.src = moving)
    const stop = () => (picture.src = still)
    if (when === 'on-hover') {
      holder.addEventListener('pointerenter', move)
      holder.addEventListener('pointerleave', stop)
      holder.addEventListener('focus', move)
      holder.addEventListener('blur', stop)
    }
    ends.push(() => {
      holder.removeEventListener('pointerenter', move)
      holder.removeEventListener('pointerleave', stop)
      holder.removeEventListener('focus', move)
      holder.removeEventListener('blur', stop)
      picture.src = moving
    })
  }
  return () => {
    for (const end of ends) end()
  }
}
