import type { Argument, Command, Option } from 'commander'

/** What is given on a command line: values of arguments by their names, and of options by theirs, such as `--type`. */
export type GivenValues = ReadonlyMap<string, readonly string[]>

/** Where in a command line the word stands that is completed. */
export interface Place {
  /** The command, and its words: `faults add`. */
  readonly command: Command
  readonly name: string
  readonly given: GivenValues
  /** What takes the word: undefined if it can be an option or a command only. */
  readonly taker: Argument | Option | undefined
  /** The name of what takes it, as in `given`. */
  readonly valueName: string
  /** What stands before the value in the word, such as `--type=`. */
  readonly prefix: string
  /** Whether the word can be an option. */
  readonly takesOptions: boolean
  /** Whether it can be a command within the command. */
  readonly takesCommands: boolean
}

/** What was read so far of the words before. */
interface Reading {
  readonly command: Command
  readonly name: readonly string[]
  readonly values: Map<string, string[]>
  /** The arguments, in their order. */
  readonly words: readonly string[]
  /** An option that still takes a value. */
  readonly open: Option | undefined
  /** After `--`. */
  readonly onlyArguments: boolean
}

/** Reads words as the program does; the last one is completed. Undefined if they begin with no command. */
export function findPlace(program: Command, words: readonly string[]): Place | undefined {
  const text = words.at(-1) ?? ''
  let reading: Reading | undefined = {
    command: program,
    name: [],
    values: new Map(),
    words: [],
    open: undefined,
    onlyArguments: false,
  }
  for (const word of words.slice(0, -1)) {
    reading = readWord(reading, word)
    if (reading === undefined) return undefined
  }
  return toPlace(reading, text)
}

function readWord(reading: Reading, word: string): Reading | undefined {
  const { command, values, words, open, onlyArguments } = reading
  if (open && takesValue(open, word)) {
    addValue(values, nameOfOption(open), word)
    return open.variadic ? reading : { ...reading, open: undefined }
  }
  const rest = { ...reading, open: undefined }
  if (onlyArguments || !word.startsWith('-') || word === '-') return readArgument(rest, word)
  if (word === '--') return { ...rest, onlyArguments: true }
  const [name = '', value] = splitOption(word)
  const option = findOption(command, name)
  if (option && value !== undefined) addValue(values, nameOfOption(option), value)
  if (option && !hasValue(option)) addValue(values, nameOfOption(option), '')
  return { ...rest, words, open: option && hasValue(option) && value === undefined ? option : undefined }
}

function readArgument(reading: Reading, word: string): Reading | undefined {
  const { command, words, name, values } = reading
  const inner = words.length === 0 ? command.commands.find((each) => each.name() === word) : undefined
  if (inner) return { ...reading, command: inner, name: [...name, word] }
  if (command.parent === null) return undefined
  const taker = takerAt(command, words.length)
  if (taker) addValue(values, taker.name(), word)
  return { ...reading, words: [...words, word] }
}

function toPlace({ command, name, values, words, open, onlyArguments }: Reading, text: string): Place {
  const common = { command, name: name.join(' '), given: values }
  if (open && takesValue(open, text)) {
    const valueName = nameOfOption(open)
    return { ...common, taker: open, valueName, prefix: '', takesOptions: false, takesCommands: false }
  }
  const [written = '', value] = onlyArguments ? [] : splitOption(text)
  const option = value === undefined ? undefined : findOption(command, written)
  if (option) {
    const valueName = nameOfOption(option)
    const prefix = `${written}=`
    return { ...common, taker: option, valueName, prefix, takesOptions: false, takesCommands: false }
  }
  const taker = takerAt(command, words.length)
  const valueName = taker?.name() ?? ''
  const takesCommands = words.length === 0 && command.commands.length > 0
  return { ...common, taker, valueName, prefix: '', takesOptions: !onlyArguments, takesCommands }
}

/** The options of a command and of those that it belongs to. */
export function listOptions(command: Command): readonly Option[] {
  const own = command.options.filter(({ hidden }) => !hidden)
  return command.parent
    ? [...own, ...listOptions(command.parent).filter(({ long }) => long !== '--version')]
    : own
}

function findOption(command: Command, name: string): Option | undefined {
  return listOptions(command).find(({ long, short }) => long === name || short === name)
}

export const nameOfOption = ({ long, short, flags }: Option): string => long ?? short ?? flags

export const hasValue = ({ required, optional }: Option): boolean => required || optional

/** Whether the option takes the word that follows it, or follows another value of it. */
function takesValue({ required, variadic }: Option, word: string): boolean {
  return !word.startsWith('-') || word === '-' || (required && !variadic)
}

/** `--name=value` as the two; without a value where there is none. */
function splitOption(word: string): readonly [name?: string, value?: string] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

function takerAt({ registeredArguments }: Command, index: number): Argument | undefined {
  const last = registeredArguments.at(-1)
  return registeredArguments[index] ?? (last?.variadic ? last : undefined)
}

function addValue(values: Map<string, string[]>, name: string, value: string): void {
  values.set(name, [...(values.get(name) ?? []), value])
}
