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

const commands = ['me', 'poll', 'todo'] as const

/**
 * What a message may begin with; a new one may be a poll or a list. One that is whole is offered still where choosing it
 * opens a form.
 */
export function commandsFor(
  text: string,
  isNew: boolean,
): { kind: 'command'; name: string; words: string }[] {
  return commands
    .filter((name) => name.startsWith(text) && (name === 'me' ? name !== text : isNew))
    .map((name) => ({ kind: 'command', name, words: t.compose.commands[name] }))
}
