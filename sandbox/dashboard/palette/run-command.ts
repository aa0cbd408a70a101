import { parseDuration } from '../../../spec/readings.ts'
import { toPerformAny } from '../../client/control-client.ts'
import { parsePairs, type TextKind } from '../../cli/field-pairs.ts'
import type { App } from '../state/app.ts'
import type { CommandCall, PageCommand, Source } from '../state/page-ports.ts'
import type { Route } from '../state/route.ts'
import { formatCommandRow, readText, splitWords, type CommandValues } from './command-text.ts'

/** Returns the API call for a command. Undefined if the page cannot run the command. Throws RangeError for an invalid value. */
export function planCall({ calls = [], textFields = {} }: PageCommand, values: CommandValues) {
  const textOf = (name: string) => readText(values, name)
  const kindOf = (type: string, field: string): TextKind =>
    new Map(Object.entries(textFields[type] ?? {})).get(field) ?? 'other'
  const read = (source: Source): unknown => {
    const [name = '', form = ''] = source.split(' ')
    const text = textOf(name)
    if (form === 'fields') return parsePairs(splitWords(text), (key) => kindOf(textOf('type'), key))
    return text === '' ? undefined : FORMS[form]?.(text, kindOf)
  }
  const readFields = (sources: Readonly<Record<string, Source>> = {}) =>
    Object.fromEntries(
      Object.entries(sources)
        .map(([name, source]) => [name.replace(/\{(.*)\}/, (_, key: string) => textOf(key)), read(source)])
        .filter(([, value]) => value !== undefined),
    )
  const call = calls.find(({ given }) => given.every((name) => values[name] === true || textOf(name) !== ''))
  if (!call) return undefined
  const { operation, path, query, body } = call
  const input = {
    path: readFields(path),
    query: readFields(query),
    ...(body !== undefined && { body: typeof body === 'string' ? read(body) : readFields(body) }),
  }
  return { operation, input }
}

export async function performCommand(
  command: PageCommand,
  values: CommandValues,
  perform: App['perform'],
): Promise<unknown> {
  const call = planCall(command, values)
  return call && toPerformAny(perform)(call.operation, call.input)
}

export type FindCommand = ReturnType<typeof createFindCommand>

export function createFindCommand(
  commands: readonly PageCommand[],
  { perform, run, target }: Pick<App, 'perform' | 'run' | 'target'>,
) {
  return (name: string, values: CommandValues) => {
    const command = commands.find((each) => each.name === name)
    return (
      command && {
        line: formatCommandRow(command, values, target.value),
        /** Runs the command and shows the success text or the error. */
        run: (done?: string) =>
          run(() => performCommand(command, values, perform), done === undefined ? undefined : () => done),
      }
    )
  }
}

export function withValue(values: CommandValues, name: string, value: string | boolean): CommandValues {
  const { [name]: _, ...rest } = values
  return value === '' || value === false ? rest : { ...rest, [name]: value }
}

export function planRoute({ route }: PageCommand, values: CommandValues): Route | undefined {
  const words = route?.path.map((name) => (name.startsWith('=') ? name.slice(1) : readText(values, name)))
  return route && words && { screen: route.screen, path: words }
}

/** Lists the options that the user has set but that only the terminal supports. */
export function unheededOptions({ calls = [] }: PageCommand, values: CommandValues): string[] {
  const heeded = new Set(calls.flatMap(listNames))
  return Object.keys(values).filter((name) => name.startsWith('--') && !heeded.has(name))
}

export function listNames({ given, path, query, body = {} }: CommandCall): string[] {
  const sources = [path, query, typeof body === 'string' ? { body } : body].flatMap(Object.values<Source>)
  return [...given, ...sources.map((source) => source.split(' ')[0] ?? '')]
}

type ReadText = (text: string, kindOf: (type: string, field: string) => TextKind) => unknown

const FORMS: Readonly<Record<string, ReadText>> = {
  '': (text) => text,
  number: Number,
  // `ms` and `seconds` accept a duration such as `5s`, or a number in the named unit.
  ms: (text) => parseDuration(text) ?? Number(text),
  seconds: (text) => parseDuration(text) ?? Number(text) * 1_000,
  // Parses a duration into seconds. For a text without a unit, the result is 0, which the control API rejects.
  lifetime: (text) => Math.round((parseDuration(text) ?? 0) / 1_000),
  instant: (text) => (isInstant(text) ? text : undefined),
  duration: (text) => (isInstant(text) ? undefined : text),
  json: parseJson,
  // Parses a text such as `/type/field=value`. The JSON pointer before the equals sign can be longer.
  settings: (text, kindOf) =>
    parsePairs(splitWords(text), (pointer) => {
      const [, type = '', field = '', ...deeper] = pointer.split('/')
      return deeper.length === 0 ? kindOf(type, field) : 'other'
    }),
  match: (text) => Object.fromEntries(splitWords(text).map(parseMatch)),
}

const isInstant = (text: string) => /^\d{4}-/.test(text)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RangeError(`Cannot read "${text}": the text is not JSON`)
  }
}

function parseMatch(pair: string) {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
  if (key === undefined) throw new RangeError(`Cannot read match "${pair}": write it as key=value`)
  return [key, key === 'attempt' ? Number(value) : value]
}
