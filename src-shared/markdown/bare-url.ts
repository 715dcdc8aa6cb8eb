import type { MarkdownIt, StateInline } from 'markdown-it'
import { safeAddress } from './address.ts'
import { pushLink } from './link.ts'
import { byStart, foundAt, oncePerText, scopeOf, type Found } from './scope.ts'

const genericDomains =
  'academy agency ai app arpa art asia audio band bar berlin best bike bio biz blog business cafe cam camp ' +
  'capital care cash cat center charity chat church city claims cloud club codes coffee com community company ' +
  'computer consulting cool coop dance data date deals design dev digital directory download earth edu education ' +
  'email energy engineer engineering estate events example exchange expert express family farm fashion film ' +
  'finance fish fitness foundation fun fund fyi gallery game games garden gift global gold gov graphics green ' +
  'group guide guru health help host house how icu info ink institute int international jobs kitchen land law ' +
  'legal life lighting limited link live loan lol love ltd management market marketing media men menu mil mobi ' +
  'moe money museum music name net network news ngo ninja nyc one online ong onl org page paris partners parts ' +
  'party photo photography photos pics pizza place plus poker press pro productions properties pub quest radio ' +
  'recipes red rehab rent repair report review reviews rip rocks run sale school science security services sex ' +
  'shop shopping show site social software solar solutions space store stream studio style support systems tax ' +
  'taxi team tech technology tel theater tips today tools top tours town toys trade training travel tube tv ' +
  'university uno vacations ventures video vip vision voyage watch web website wedding wiki win wine work works ' +
  'world wtf xyz xxx yoga zone рф'

/** Country domains. Some are left out because names of files end in them far more often than addresses: md, py. */
const countryDomains =
  'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca ' +
  'cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ' +
  'ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm ' +
  'jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc me mg mh mk ml mm mn mo mp mq mr ' +
  'ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw qa re ro ' +
  'rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr ' +
  'tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw'

/** An address found in plain text. */
export interface BareUrl extends Found {
  readonly text: string
  /** Includes the scheme: `http://` is added if none was typed. */
  readonly url: string
}

/** An address ends where one of our own syntax marks begins. */
const foreign = /[`"|<>]|\*\*|~~/
/** Closing brackets and sentence punctuation, which never end an address. */
const trailing = /[*~'.,;:!?]+$/

/**
 * Finds the addresses, domains and e-mail addresses in a text. The parser holds the search, which the plugin
 * configures.
 */
export function findBareUrls(text: string, linkify: MarkdownIt['linkify']): BareUrl[] {
  // The search is the most expensive step, and most messages contain at most the full stop of a sentence.
  if (!/[.:@]\S/.test(text)) return []
  const found: BareUrl[] = []
  for (const match of linkify.match(text) ?? []) {
    const cut = match.raw.search(foreign)
    const raw = (cut < 0 ? match.raw : match.raw.slice(0, cut)).replace(trailing, '')
    if (!/[^/:@]$/.test(raw.replace(/\/+$/, '')) || /^[a-z]+:\/*$/i.test(raw)) continue
    const url = match.url.slice(0, match.url.length - (match.raw.length - raw.length))
    // What is left after a cut may be too short for an address.
    if (raw !== match.raw && !linkify.test(raw)) continue
    found.push({ start: match.index, end: match.index + raw.length, text: raw, url })
  }
  return found
}

/** Addresses written as plain text: `https://…`, domains, e-mail addresses. */
export function bareUrlPlugin(md: MarkdownIt): { starts: (state: StateInline) => Iterable<number> } {
  configureLinkify(md.linkify)
  const urls = oncePerText((state) => byStart(findBareUrls(state.src, state.md.linkify)))
  md.inline.ruler.at('linkify', (state, silent) => {
    if (state.linkLevel > 0) return false
    const found = foundAt(urls(state), state)
    const href = found && safeAddress(found.url, scopeOf(state.env).context)
    if (!found || href === undefined) return false
    if (!silent) pushLink(state, href, found.text, { isBare: true })
    state.pos = found.end
    return true
  })
  return { starts: (state) => urls(state).keys() }
}

/** Configures a search for our domains and, of addresses without a scheme, for domains and e-mail addresses only. */
export function configureLinkify(linkify: MarkdownIt['linkify']): void {
  linkify.add('//', null)
  linkify.set({
    fuzzyLink: true,
    fuzzyEmail: true,
    fuzzyIP: false,
    tlds: [...genericDomains.split(' '), ...countryDomains.split(' ')],
    maxLength: 2000,
  })
}
