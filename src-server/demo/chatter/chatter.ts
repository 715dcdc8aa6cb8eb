import { hourSeconds, daySeconds, minuteSeconds } from '../../../src-shared/durations.ts'
import { roles } from '../../../src-shared/roles.ts'
import { pick, seeded, shuffled } from '../chance.ts'
import type { DemoChannel } from '../channels.ts'
import { people, type DemoPerson } from '../people.ts'
import { parseScript, type Line } from '../script.ts'
import { words, type Subject } from './subject.ts'

/** A message of the long history. */
export interface ChatterLine extends Line {
  readonly channel: string
  readonly topic: string
  readonly sentAt: number
}

/** Generated messages are older than this: what a newcomer opens first was written by hand. */
const quietDays = 4
const mostRepeats = 8
const voiceChance = 0.14
/** Channels where people also write at weekends. */
const leisure = new Set(['bird-counts', 'kitchen', 'hut-repairs', 'stores', 'boat-and-safety'])

type Bindings = Map<string, string>

/**
 * About `count` messages of the last year, each in a topic that fits it. The same for the same seed and time. `said`
 * counts how often a text was used; none is used more than eight times.
 */
export function chatter(
  subjects: readonly Subject[],
  channels: readonly DemoChannel[],
  options: { count: number; now: number; seed: number; said: Map<string, number> },
): ChatterLine[] {
  const random = seeded(options.seed)
  const talksOf = new Map(subjects.map((subject) => [subject, subject.talks.split(/^====\n/m)]))
  const usedTopics = new Set<string>()
  const lines: ChatterLine[] = []
  for (let round = 0; lines.length < options.count && round < 40; round++) {
    for (const subject of subjects) {
      const topic = newTopic(random, subject, usedTopics)
      const channel = channels.find(({ name }) => name === subject.channel)
      if (topic === null || channel === undefined || lines.length >= options.count) continue
      let at = options.now - topicAge(random, channel) * daySeconds
      for (const talk of shuffled(random, talksOf.get(subject) ?? [])) {
        at = workingTime(random, at + (0.2 + random() * 2) * daySeconds, leisure.has(channel.name))
        const talked = performed(random, talk, castOf(random, channel, subject), topic.bindings, options.said)
        const minutes = talked.reduce((sum, line) => sum + line.after, 0)
        if (at + minutes * minuteSeconds > options.now - quietDays * daySeconds) break
        for (const line of talked) {
          at += line.after * minuteSeconds + Math.floor(random() * 50)
          lines.push({ ...line, channel: channel.name, topic: topic.name, sentAt: Math.floor(at) })
        }
      }
    }
  }
  return lines
}

/** A new conversation about a subject, now, in a topic of its own: for teammates whose scripts have ended. */
export function freshTalk(
  random: () => number,
  subject: Subject,
  channel: DemoChannel,
  said: Map<string, number>,
): { topic: string; lines: readonly Line[] } {
  const bindings: Bindings = new Map()
  const name = filled(random, pick(random, subject.topics), bindings)
  const talk = pick(random, subject.talks.split(/^====\n/m))
  const lines = performed(random, talk, castOf(random, channel, subject), bindings, said)
  return { topic: name.replace('✔ ', ''), lines }
}

function newTopic(
  random: () => number,
  subject: Subject,
  used: Set<string>,
): { name: string; bindings: Bindings } | null {
  for (let tries = 0; tries < 12; tries++) {
    const bindings: Bindings = new Map()
    const name = filled(random, pick(random, subject.topics), bindings)
    const key = `${subject.channel}>${name.replace('✔ ', '')}`
    if (used.has(key)) continue
    used.add(key)
    return { name, bindings }
  }
  return null
}

function topicAge(random: () => number, channel: DemoChannel): number {
  return channel.kind === 'archived' ? 200 + random() * 150 : quietDays + 8 + 340 * random() ** 1.3
}

/** The keys of the people that `a`, `b` and `c` stand for. */
function castOf(
  random: () => number,
  channel: DemoChannel,
  subject: Subject,
): ReadonlyMap<string, DemoPerson> {
  const mayWrite = (person: DemoPerson) => channel.kind !== 'announcement' || person.role <= roles.moderator
  const members = people.filter(
    (person) => mayWrite(person) && (channel.members?.split(' ').includes(person.key) ?? true),
  )
  const starters = members.filter(({ key }) => subject.starters?.split(' ').includes(key) ?? true)
  const first = pick(random, starters)
  const [second = first, third = first] = shuffled(
    random,
    members.filter((person) => person !== first),
  )
  return new Map([
    ['a', first],
    ['b', second],
    ['c', third],
  ])
}

/** The lines of a conversation, worded for their speakers; empty if one of them was used too often. */
function performed(
  random: () => number,
  talk: string,
  cast: ReadonlyMap<string, DemoPerson>,
  topicBindings: Bindings,
  said: Map<string, number>,
): readonly Line[] {
  const bindings: Bindings = new Map(topicBindings)
  for (const [role, person] of cast) bindings.set(role, person.name.split(' ')[0] ?? '')
  const parsed = parseScript(filled(random, talk, bindings))
  const lines = parsed.map((line, index): Line => {
    const person = cast.get(line.by)
    if (person === undefined) throw new Error(`a talk with somebody unknown: ${line.by}`)
    const place = index === 0 ? 'first' : index === parsed.length - 1 ? 'last' : 'between'
    return {
      ...line,
      by: person.key,
      text: voiced(random, person, line.text, place),
      reactions: line.reactions.map(({ emoji, by }) => ({
        emoji,
        by: by.map((role) => cast.get(role)?.key ?? role).filter((key) => key !== person.key),
      })),
    }
  })
  if (lines.some(({ text }) => (said.get(text) ?? 0) >= mostRepeats)) return []
  for (const { text } of lines) said.set(text, (said.get(text) ?? 0) + 1)
  return lines
}

function voiced(
  random: () => number,
  { voice }: DemoPerson,
  text: string,
  place: 'first' | 'between' | 'last',
): string {
  let words = text.charAt(0).toUpperCase() + text.slice(1)
  const isShort = !words.includes('\n') && /^[A-Z“]/.test(words)
  const before = place === 'first' ? voice.opens : voice.answers
  if (isShort && before.length > 0 && random() < voiceChance) words = `${pick(random, before)} ${words}`
  if (isShort && place === 'last' && voice.closes.length > 0 && random() < voiceChance)
    words = `${words} ${pick(random, voice.closes)}`
  if (isShort && voice.isLowerCase === true) {
    words = words
      .replace(
        /(^|[.?!] )([A-Z])(?=[a-z’])/g,
        (_, edge: string, letter: string) => edge + letter.toLowerCase(),
      )
      .replace(/\bI\b/g, 'i')
  }
  return words
}

const slot = /\{(?:([a-z]\w*)=)?(?:([a-z]+?)(\d?)|(-?[\d.]+?)\.\.(-?[\d.]+))\}/g

/** Fills the slots of a text. Throws if a slot is unknown. */
function filled(random: () => number, text: string, bindings: Bindings): string {
  return text.replaceAll(
    slot,
    (mark, name?: string, word?: string, again?: string, from?: string, to?: string) => {
      const key = name ?? `${word}${again}`
      const known = word === undefined && name === undefined ? undefined : bindings.get(key)
      if (known !== undefined) return known
      const taken = [...bindings.values()]
      const choices = (words[word ?? ''] ?? []).filter((choice) => !taken.includes(choice))
      if (from === undefined && choices.length === 0) throw new Error(`a slot that means nothing: ${mark}`)
      const value = from === undefined ? pick(random, choices) : numberBetween(random, from, to ?? from)
      if (name !== undefined || word !== undefined) bindings.set(key, value)
      return value
    },
  )
}

function numberBetween(random: () => number, from: string, to: string): string {
  const decimals = from.split('.')[1]?.length ?? 0
  const step = 10 ** -decimals
  const steps = Math.round((Number(to) - Number(from)) / step)
  const value = Number(from) + Math.floor(random() * (steps + 1)) * step
  const text = Math.abs(value).toFixed(decimals)
  const grouped = decimals === 0 && text.length > 4 ? text.replace(/(\d)(?=(\d{3})$)/, '$1,') : text
  return value < 0 ? `−${grouped}` : grouped
}

/** Moves a time at night to the morning, and most weekend times to Monday. */
function workingTime(random: () => number, at: number, isLeisure: boolean): number {
  let time = at
  const weekday = new Date(time * 1000).getUTCDay()
  if (!isLeisure && (weekday === 0 || weekday === 6) && random() < 0.85)
    time += (weekday === 6 ? 2 : 1) * daySeconds
  const hours = (time % daySeconds) / hourSeconds
  const [opens, closes] = isLeisure ? [6, 21] : [6, 17]
  if (hours < opens) time += (opens - hours + random() * 4) * hourSeconds
  else if (hours > closes) time += (24 + opens - hours + random() * 4) * hourSeconds
  return time
}
