import { t } from '../../../src-shared/texts/texts.ts'

/** Names that highlight code, the common ones first; and the fences that hold something else. */
const languages =
  'python javascript typescript bash json text math quote spoiler sql html css java c cpp csharp go rust ruby php ' +
  'kotlin swift r julia matlab scala haskell elixir erlang lua perl powershell yaml toml ini xml diff dockerfile ' +
  'makefile markdown latex console graphql protobuf clojure dart fortran groovy nix ocaml scss vim zig'

/** Languages that a name begins, a whole name first. */
export function languagesFor(text: string, limit: number): string[] {
  const wanted = text.toLowerCase()
  const fitting = languages.split(' ').filter((name) => name.startsWith(wanted))
  // The whole name is typed already: the list would only be in the way of Enter.
  return fitting.length === 1 && fitting[0] === wanted ? [] : fitting.slice(0, limit)
}

/** What a text may begin with, in the order in which it is offered. */
const commands = ['me', 'poll', 'todo', 'dark', 'light', 'night', 'day', 'ping'] as const
export type CommandName = (typeof commands)[number]

/** Other names of commands; they are offered to those who type them. */
const aliases: readonly CommandName[] = ['night', 'day']
const atOnce: readonly CommandName[] = ['dark', 'light', 'night', 'day', 'ping']

/** Whether it is done in the moment it is chosen, and nothing is sent. */
export const isDoneAtOnce = (name: CommandName): boolean => atOnce.includes(name)

/** The command that a whole text is, where that is done at once; null for everything that is to be sent. */
export const commandOf = (text: string): CommandName | null =>
  atOnce.find((name) => text.trim() === `/${name}`) ?? null

/**
 * The commands that a text may begin with; only a message of its own does more than say something. One that is whole is
 * offered still where choosing it does something.
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
