/** The possible answers to a message that matches. */
interface Rule {
  readonly when: RegExp
  readonly say: readonly string[]
}

const rules: readonly Rule[] = [
  {
    when: /\b(thanks|thank you|cheers|takk)\b/i,
    say: ['Any time.', 'Gladly! :ocean:', 'That’s what the kettle is for.'],
  },
  {
    when: /\b(tides?|low water|high water|ferry)\b/i,
    say: [
      'The table for today is in #**tide-gauges>tide tables**, the newest one is at the bottom.',
      'I’d trust the table in #**tide-gauges>tide tables** more than my memory. It’s posted every few days.',
    ],
  },
  {
    when: /\b(gauges?|logger|drift|offset|desiccant|tube|battery)\b/i,
    say: [
      'I’ll have the housing on the bench in an hour and look at exactly that.',
      'Could be. Before I believe it I’d like to see the same thing against the staff board.',
      'Good point. I’ll put it into #**tide-gauges>gauge 4 offset drift**, so that Tomasz sees it too.',
    ],
  },
  {
    when: /\b(birds?|dunlin|counts?|rings?|roost|knot|curlew)\b/i,
    say: [
      'Nice! Write it on the sheet, also if you’re only half sure. There’s a field for that.',
      'I had about the same. Let’s compare after the next high water.',
    ],
  },
  {
    when: /\b(boat|launch|radio|wind|fog|harbour)\b/i,
    say: [
      'I’ll look at the evening forecast before I say yes. It’s not long until then.',
      'Fine with me, as long as somebody ashore knows when to worry.',
    ],
  },
  {
    when: /```|~~~|\b(code|script|import|bug|error|query)\b/i,
    say: [
      'Let me run that here first. It looks right, which is when I become careful.',
      'Reproduced, I think. I’ll write a test for it before I touch anything.',
    ],
  },
  {
    when: /\b(dinner|lentils?|bread|coffee|soup|hungry|kitchen)\b/i,
    say: ['There is soup. There is always soup.', 'Count me in, I bring bread.'],
  },
  {
    when: /\b(hello|hi|hey|good morning|good evening|hei)\b/i,
    say: ['Hello! How is it out there?', 'Hi! I’m here for the next hour, then on the water.'],
  },
  {
    when: /\?\s*$/,
    say: [
      'Good question. Give me ten minutes, I’d rather look than guess.',
      'I think so, but let me ask Hanne, she was there.',
      'Yes, unless the weather has other plans.',
      'Not today, I’m afraid. Tomorrow before noon?',
    ],
  },
]

const anything = [
  'Read it, thank you. I’ll come back to you today.',
  'Makes sense to me.',
  'All right, I’ve put it on my list. The real one, on paper.',
  'Understood. I’ll tell the others at the call.',
  'Good to know! I was about to ask.',
]

/** Answers to what people write: the first matching rule, its sentences in turn. */
export class Answers {
  readonly #given = new Map<readonly string[], number>()

  /** The next answer to this content. */
  to(content: string): string {
    const say = rules.find(({ when }) => when.test(content))?.say ?? anything
    const given = this.#given.get(say) ?? 0
    this.#given.set(say, given + 1)
    return say[given % say.length] ?? ''
  }
}

/** The emoji that acknowledges this message. */
export function reactionTo(content: string): string {
  if (/\b(thanks|thank you|cheers)\b/i.test(content)) return 'heart'
  if (/\b(done|finished|fixed|found|works|mended)\b/i.test(content)) return 'tada'
  if (/\?\s*$/.test(content)) return 'eyes'
  return 'thumbs_up'
}
