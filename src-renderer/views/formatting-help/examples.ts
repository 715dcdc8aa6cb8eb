import { t } from '../../../src-shared/texts/texts.ts'

/** One kind of formatting. */
export interface Example {
  readonly name: keyof typeof t.formatting.names
  /** What is typed. */
  readonly source: string
  /** What it does, in words, where the rendered text would not show it; null where it does. */
  readonly note: string | null
}

/** Examples of one kind, under the heading of that name. */
export interface ExampleGroup {
  readonly name: keyof typeof t.formatting.groups
  readonly examples: readonly Example[]
}

/** Names of the organization, so that the examples are real mentions and links; null where there is none to show. */
export interface KnownNames {
  readonly person: string
  readonly group: string | null
  readonly channel: string | null
  /** A topic of the channel. */
  readonly topic: string | null
}

/** All formatting that messages can have, in the order in which it is shown. */
export function formattingExamples({ person, group, channel, topic }: KnownNames): readonly ExampleGroup[] {
  const { samples, notes } = t.formatting
  const { words, columns, cells } = samples
  const show = (name: Example['name'], ...lines: string[]): Example => ({
    name,
    source: lines.join('\n'),
    note: null,
  })
  const tell = (name: Example['name'] & keyof typeof notes, ...lines: string[]): Example => ({
    ...show(name, ...lines),
    note: notes[name],
  })
  return [
    {
      name: 'words',
      examples: [
        show('bold', `**${words}**`),
        show('italic', `*${words}*`),
        show('boldItalic', `***${words}***`),
        show('strike', `~~${words}~~`),
        show('code', '`git pull`'),
        show('math', '$$h = 3 \\sin(\\omega t)$$'),
        show('emoji', `${words} :wave:`),
        show('time', '<time:2027-06-21T09:30:00Z>'),
      ],
    },
    {
      name: 'links',
      examples: [
        show('link', `[${samples.link}](https://example.org)`),
        show('address', 'https://example.org'),
        show('person', `@**${person}**`),
        show('silent', `@_**${person}**`),
        ...(group === null ? [] : [show('group', `@*${group}*`)]),
        show('everyone', '@**all**'),
        show('inTopic', '@**topic**'),
        ...(channel === null ? [] : [show('channel', `#**${channel}**`)]),
        ...(channel === null || topic === null
          ? []
          : [show('topic', `#**${channel}>${topic}**`), tell('message', `#**${channel}>${topic}@1234**`)]),
        tell('file', `[${samples.file}](/user_uploads/…)`),
      ],
    },
    {
      name: 'blocks',
      examples: [
        show('list', `* ${samples.first}`, `* ${samples.second}`, `  * ${samples.inside}`),
        show('numbered', `1. ${samples.first}`, `2. ${samples.second}`),
        show('quote', `> ${samples.quote}`, '', samples.answer),
        show('longQuote', '```quote', samples.quote, '', samples.answer, '```'),
        show('codeBlock', '```python', 'for day in range(7):', '    print(day)', '```'),
        show('mathBlock', '```math', 'h = \\frac{a}{2} \\sin(\\omega t)', '```'),
        show('spoiler', `\`\`\`spoiler ${samples.spoiler}`, samples.hidden, '```'),
        show(
          'table',
          `| ${columns.join(' | ')} |`,
          '| --- | ---: |',
          ...cells.map((cell, index) => `| ${cell} | ${3 + index} |`),
        ),
        show('heading', `## ${samples.heading}`),
        show('rule', '---'),
      ],
    },
    {
      name: 'whole',
      examples: [
        tell('me', `/me ${samples.me}`),
        tell('poll', `/poll ${samples.question}`, ...samples.options),
        tell('todo', `/todo ${samples.todo}`, samples.task),
      ],
    },
  ]
}
