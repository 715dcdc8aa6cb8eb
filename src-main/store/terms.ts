/**
 * The words of a text in the form that the word index uses: in small letters, Latin ones without accents, and without
 * anything else. The index computes them itself (unicode61, remove_diacritics 2), so a search for a part of a word must
 * fold in the same way.
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

/** True for most texts, whose letters need no tables. */
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/** Letters and digits, and the combining accents that may follow one. */
const inTerms = /[\p{L}\p{N}\p{Co}\u0300-\u0331]+/gu

function foldTerm(text: string): string {
  let folded = ''
  for (const letter of text) folded += foldLetter(letter)
  return folded
}

const foldedLetters = new Map<string, string>()

/** A letter in the index's form; a lone combining accent becomes empty. The length may change. */
export function foldLetter(letter: string): string {
  let folded = foldedLetters.get(letter)
  if (folded === undefined) {
    const small = smallForm(letter)
    const [base = '', ...marks] = small.normalize('NFD')
    const isAccented = marks.length > 0 && /^[a-z]$/.test(base) && marks.every((mark) => /\p{Mn}/u.test(mark))
    folded = isAccented ? base : /^[\u0300-\u0331]$/.test(small) ? '' : small
    // The limit is enough: texts have some thousand different letters.
    if (foldedLetters.size < mostFolded) foldedLetters.set(letter, folded)
  }
  return folded
}

const mostFolded = 5_000

/** One lower-case form for letters that have several, such as sigma. */
function smallForm(letter: string): string {
  const small = letter.toLowerCase()
  const other = small.toUpperCase().toLowerCase()
  return /^[\u0370-\u03ff\u00b5\u017f]$/.test(small) && other.length === 1 ? other : small
}

/** Letters of scripts that are written without spaces, or in which words grow by suffixes. */
const alone =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u318e\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc]|[\ud840-\ud8bf][\udc00-\udfff]/

const allAlone = new RegExp(alone, 'g')

/** Whether the text has letters that the index treats as words of their own. */
export const hasLoneLetters = (text: string): boolean => alone.test(text)

/**
 * The text with such letters separated, as the index gets it. Part of a Chinese sentence is then a phrase, which is
 * found wherever it stands.
 */
export const withLettersApart = (text: string): string =>
  hasLoneLetters(text) ? text.replace(allAlone, ' $& ') : text

/** The least number of letters in a part of a word that can be searched. */
export const shortestPart = 3

/** The three-letter sequences (trigrams) of a word, each once. */
export function partsOf(term: string): string[] {
  const letters = [...term]
  const parts = new Set<string>()
  for (let at = 0; at + shortestPart <= letters.length; at++) {
    parts.add(letters.slice(at, at + shortestPart).join(''))
  }
  return [...parts]
}
