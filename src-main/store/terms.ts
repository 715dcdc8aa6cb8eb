/**
 * Words as the index of words has them: in small letters, Latin ones without their accents, and nothing else of the
 * text. The index makes them itself (unicode61, remove_diacritics 2); whoever looks for a part of one has to do as it
 * does.
 */
export function termsOf(text: string): string[] {
  if (isAscii(text)) return text.toLowerCase().match(/[a-z\d]+/g) ?? []
  const terms: string[] = []
  for (const [found] of text.matchAll(inTerms)) {
    const term = foldTerm(found)
    if (term !== '') terms.push(term)
  }
  return terms
}

/** Most texts; their letters need no tables. */
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/** Letters and figures, and the accents that may stand after one as characters of their own. */
const inTerms = /[\p{L}\p{N}\p{Co}\u0300-\u0331]+/gu

function foldTerm(text: string): string {
  let folded = ''
  for (const letter of text) folded += foldLetter(letter)
  return folded
}

const foldedLetters = new Map<string, string>()

/** A letter as the index has it; an accent that stands alone is nothing. The length may change. */
export function foldLetter(letter: string): string {
  let folded = foldedLetters.get(letter)
  if (folded === undefined) {
    const small = smallForm(letter)
    const [base = '', ...marks] = small.normalize('NFD')
    const isAccented = marks.length > 0 && /^[a-z]$/.test(base) && marks.every((mark) => /\p{Mn}/u.test(mark))
    folded = isAccented ? base : /^[\u0300-\u0331]$/.test(small) ? '' : small
    // Texts have some thousand different letters, whatever is in them.
    if (foldedLetters.size < mostFolded) foldedLetters.set(letter, folded)
  }
  return folded
}

const mostFolded = 5_000

/** One small form for letters that have several, as the two of sigma. */
function smallForm(letter: string): string {
  const small = letter.toLowerCase()
  const other = small.toUpperCase().toLowerCase()
  return /^[\u0370-\u03ff\u00b5\u017f]$/.test(small) && other.length === 1 ? other : small
}

/** Letters of scripts that are written without spaces, or in which words grow by what is put after them. */
const alone =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u318e\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc]|[\ud840-\ud8bf][\udc00-\udfff]/

const allAlone = new RegExp(alone, 'g')

/** Whether there are letters that are words of their own for the index. */
export const hasLoneLetters = (text: string): boolean => alone.test(text)

/**
 * The text with such letters set apart, as the index gets it: a part of a Chinese sentence is then a phrase, and found
 * wherever it stands.
 */
export const withLettersApart = (text: string): string =>
  hasLoneLetters(text) ? text.replace(allAlone, ' $& ') : text

/** How many letters a part of a word has to have so that it is looked for. */
export const shortestPart = 3

/** The sequences of three letters in a word, each once. */
export function partsOf(term: string): string[] {
  const letters = [...term]
  const parts = new Set<string>()
  for (let at = 0; at + shortestPart <= letters.length; at++) {
    parts.add(letters.slice(at, at + shortestPart).join(''))
  }
  return [...parts]
}
