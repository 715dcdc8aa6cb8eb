import { t } from '../../../src-shared/texts/texts.ts'

/** Language names for highlighting, common ones first, and the fences with other content. */
const languages =
  'python javascript typescript bash json text math quote spoiler sql html css java c cpp csharp go rust ruby php ' +
  'kotlin swift r julia matlab scala haskell elixir erlang lua perl powershell yaml toml ini xml diff dockerfile ' +
  'makefile markdown latex console graphql protobuf clojure dart fortran groovy nix ocaml scss vim zig'

/** The short names under which people know some of them. */
const shortNames: Readonly<Record<string, string>> = {
  js: 'javascript',
  ts: 'typescript',
  py: 'python',
  sh: 'bash',
  rs: 'rust',
  rb: 'ruby',
  cs: 'csharp',
  hs: 'haskell',
  kt: 'kotlin',
  md: 'markdown',
  ps1: 'powershell',
  tex: 'latex',
  yml: 'yaml',
  'c++': 'cpp',
  'c#': 'csharp',
}

/** Languages that begin with a text; first the one whose name or short name it is, which Enter then chooses. */
export function languagesFor(text: string, limit: number): string[] {
  const wanted = text.toLowerCase()
  const known = languages.split(' ')
  const exact = known.filter((name) => name === wanted || name === shortNames[wanted])
  return [...new Set([...exact, ...known.filter((name) => name.startsWith(wanted))])].slice(0, limit)
}

/** The commands that a text can begin with, in the order in which they are offered. */
const commands = ['me', 'poll', 'todo', 'dark', 'light', 'night', 'day', 'ping'] as const
export type CommandName = (typeof commands)[number]

/** Alternative names of commands; they are offered only once a person begins to type them. */
const aliases: readonly CommandName[] = ['night', 'day']
const atOnce: readonly CommandName[] = ['dark', 'light', 'night', 'day', 'ping']

/** Whether a command takes effect as soon as it is chosen, so that nothing is sent. */
export const isDoneAtOnce = (name: CommandName): boolean => atOnce.includes(name)

/** The command that the whole text consists of, if it takes effect at once; null for every text that is to be sent. */
export const commandOf = (text: string): CommandName | null =>
  atOnce.find((name) => text.trim() === `/${name}`) ?? null

/**
 * The commands that fit the beginning of a text; an edit of a message has only `/me`. A command that is fully typed is
 * still offered if choosing it does something.
 */
export function commandsFor(
  text: string,
  isNew: boolean,
): { kind: 'command'; name: CommandName; words: string }[] {
  return commands
    .filter((name) => name.startsWith(text) && (text !== '' || !aliases.includes(name)))
    .filter((name) => (name === 'me' ? name !== text : isNew))
    .map((name) => ({ kind: 'command', name, words: t.compose.commands[name] }))
}
