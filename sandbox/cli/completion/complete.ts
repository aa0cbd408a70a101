import type { Argument, Command, Option } from 'commander'
import type { Perform } from '../../compose/perform.ts'
import type { CommandTarget } from '../../engine/core/command-line.ts'
import {
  formatCompletion,
  NOTHING,
  toCandidate,
  withPrefix,
  type Candidate,
  type Completion,
} from './candidate.ts'
import { findPlace, hasValue, listOptions, nameOfOption, type Place } from './find-place.ts'
import { oneOf, type ValueContext } from './value-source.ts'
import { findValues } from './value-table.ts'

/** What completion needs of the program. */
export interface CompletionParts {
  /** The program with the command that the words begin with, or else with all. */
  readonly program: Command
  /** The control API of a sandbox; what it performs rejects if none runs. */
  readonly connect: (target: CommandTarget) => Perform
  readonly listChecks: ValueContext['listChecks']
}

/** What a shell's script reads: how the last of these words can go on. Never rejects: what cannot be found out is left out. */
export async function complete(words: readonly string[], parts: CompletionParts): Promise<string> {
  const text = words.at(-1) ?? ''
  const place = findPlace(parts.program, words)
  return formatCompletion(place ? await completePlace(place, text, parts) : NOTHING, text)
}

async function completePlace(place: Place, text: string, parts: CompletionParts): Promise<Completion> {
  const { command, taker, prefix, takesOptions, takesCommands } = place
  if (takesOptions && text.startsWith('-')) return { candidates: optionCandidates(place) }
  const commands = takesCommands ? commandCandidates(command) : []
  if (taker === undefined) {
    const options = takesOptions && !takesCommands ? optionCandidates(place) : []
    return { candidates: [...commands, ...options] }
  }
  const values = await completeValue(place, taker, { text: text.slice(prefix.length), parts })
  return { ...values, candidates: [...commands, ...values.candidates] }
}

interface Given {
  readonly text: string
  readonly parts: CompletionParts
}

async function completeValue(
  { name, valueName, given, prefix }: Place,
  { argChoices }: Argument | Option,
  { text, parts }: Given,
): Promise<Completion> {
  const source = findValues(name, valueName) ?? (argChoices && oneOf(argChoices))
  if (!source) return NOTHING
  const { listChecks, program, connect } = parts
  const listCommands = (names: readonly string[]) => commandsWithin(program, names)
  const perform = connect({ data: given.get('--data')?.at(-1), world: given.get('--world')?.at(-1) })
  const context = { text, given, perform, listChecks, listCommands }
  try {
    return withPrefix(prefix, await source(context))
  } catch {
    // No sandbox runs, or it has no such thing.
    return NOTHING
  }
}

function commandCandidates({ commands }: Command): readonly Candidate[] {
  return commands.map((command) => toCandidate(command.name(), command.summary() || command.description()))
}

function commandsWithin(program: Command, names: readonly string[]): readonly Candidate[] {
  let command: Command | undefined = program
  for (const name of names) command = command?.commands.find((each) => each.name() === name)
  return command ? commandCandidates(command) : []
}

/** Those that may still be given: one without a value is given once. */
function optionCandidates({ command, given }: Place): readonly Candidate[] {
  const options = listOptions(command).filter(
    (option) => hasValue(option) || !given.has(nameOfOption(option)),
  )
  const rows = options.map((option) => toCandidate(nameOfOption(option), option.description))
  return [...rows, toCandidate('--help', 'show the help of the command')]
}
