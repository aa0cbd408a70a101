import { parseDuration } from '../../../spec/readings.ts'
import { toPerformAny, type OperationValues } from '../../client/control-client.ts'
import { parsePairs, type TextKind } from '../../cli/field-pairs.ts'
import type { App } from '../state/app.ts'
import type { CommandCall, PageCommand, Source } from '../state/page-ports.ts'
import type { Route } from '../state/route.ts'
import { formatCommand, splitWords, type CommandValues } from './command-text.ts'

/** A planned call of the control API. */
export interface PlannedCall {
  readonly operation: string
  readonly input: OperationValues
}

/** Returns the API call of a command. Undefined if the page cannot run it. Throws RangeError with the remedy. */
export function planCall(command: PageCommand, values: CommandValues): PlannedCall | undefined {
  const { calls = [], textFields = {} } = command
  const text = (name: string) => readText(values, name)
  const call = calls.find(({ given = [] }) =>
    given.every((name) => values[name] === true || text(name) !== ''),
  )
  if (!call) return undefined
  const kindOf = (type: string, field: string): TextKind =>
    new Map(Object.entries(textFields[type] ?? {})).get(field) ?? 'other'
  const reader = { text, kindOf }
  const { operation, path, query, body } = call
  return {
    operation,
    input: {
      ...(path && {
        path: Object.fromEntries(Object.entries(path).map(([name, from]) => [name, text(from)])),
      }),
      ...(query && { query: readFields(query, reader) }),
      ...(body !== undefined && {
        body: typeof body === 'string' ? readSource(body, reader) : readFields(body, reader),
      }),
    },
  }
}

/** Makes the call of a command. Undefined if the page cannot run it. */
export async function performCommand(
  command: PageCommand,
  values: CommandValues,
  perform: App['perform'],
): Promise<unknown> {
  const call = planCall(command, values)
  return call && toPerformAny(perform)(call.operation, call.input)
}

/** A CLI command that the page can run. */
export interface Command {
  readonly line: string
  /** Runs it and shows the success text or the error. */
  run(done?: string): Promise<unknown>
}

/** Finds a command by name and fills it in. */
export type FindCommand = (name: string, values: CommandValues) => Command | undefined

export function createFindCommand(
  commands: readonly PageCommand[],
  { perform, run, target }: Pick<App, 'perform' | 'run' | 'target'>,
): FindCommand {
  return (name, values) => {
    const command = commands.find((each) => each.name === name)
    return (
      command && {
        line: formatCommand(command, values, target.value),
        run: (done) =>
          run(
            async () => performCommand(command, values, perform),
            done === undefined ? undefined : () => done,
          ),
      }
    )
  }
}

/** Returns the values with one changed. An empty text removes it. */
export function withValue(values: CommandValues, name: string, value: string): CommandValues {
  const { [name]: _, ...rest } = values
  return value === '' ? rest : { ...rest, [name]: value }
}

/** Finds the screen with the output of a command. */
export function planRoute({ route }: PageCommand, values: CommandValues): Route | undefined {
  const words = route?.path.map((name) => (name.startsWith('=') ? name.slice(1) : readText(values, name)))
  return route && words && { screen: route.screen, path: words }
}

/** Lists filled-in options that only the terminal uses. */
export function unheededOptions({ calls = [] }: PageCommand, values: CommandValues): string[] {
  const heeded = new Set(calls.flatMap(listNames))
  return Object.keys(values).filter((name) => name.startsWith('--') && !heeded.has(name))
}

/** Lists the arguments and options of a call. */
export function listNames({ given = [], path = {}, query = {}, body = {} }: CommandCall): string[] {
  const sources = [path, query, typeof body === 'string' ? { body } : body].flatMap(Object.values<Source>)
  return [...given, ...sources.map((source) => source.split(' ')[0] ?? '')]
}

interface Reader {
  text(name: string): string
  kindOf(type: string, field: string): TextKind
}

function readText(values: CommandValues, name: string): string {
  const value = values[name]
  return typeof value === 'string' ? value.trim() : ''
}

function readFields(fields: Readonly<Record<string, Source>>, reader: Reader) {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, source]) => {
      const value = readSource(source, reader)
      return value === undefined
        ? []
        : [[name.replace(/\{(.*)\}/, (_, key: string) => reader.text(key)), value]]
    }),
  )
}

function readSource(source: Source, reader: Reader): unknown {
  const [name = '', kind = ''] = source.split(' ')
  const text = reader.text(name)
  const read = KINDS[kind]
  if (read && (text !== '' || kind === 'fields')) return read(text, reader)
  return text === '' ? undefined : text
}

/** Readers for values that are not plain text. */
const KINDS: Readonly<Record<string, (text: string, reader: Reader) => unknown>> = {
  number: Number,
  // A duration, or a number in the command's unit.
  ms: (text) => parseDuration(text) ?? Number(text),
  seconds: (text) => parseDuration(text) ?? Number(text) * 1_000,
  // In seconds. The control API rejects a number without a unit.
  lifetime: (text) => Math.round((parseDuration(text) ?? 0) / 1_000),
  instant: (text) => (isInstant(text) ? text : undefined),
  duration: (text) => (isInstant(text) ? undefined : text),
  json: parseJson,
  // `key=value key:=json …`, also as pointers such as `/items/amount`.
  fields: (text, { text: given, kindOf }) =>
    parsePairs(splitWords(text), (key) => kindOf(given('type'), key)),
  settings: (text, { kindOf }) =>
    parsePairs(splitWords(text), (pointer) => {
      const [, type = '', field = '', ...deeper] = pointer.split('/')
      return deeper.length === 0 ? kindOf(type, field) : 'other'
    }),
  match: (text) =>
    Object.fromEntries(
      splitWords(text).map((pair) => {
        const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
        if (key === undefined) throw new RangeError(`Cannot read match "${pair}": write it as key=value`)
        return [key, key === 'attempt' ? Number(value) : value]
      }),
    ),
}

const isInstant = (text: string) => /^\d{4}-/.test(text)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RangeError(`Cannot read "${text}": it is not JSON`)
  }
}
