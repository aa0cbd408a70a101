import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { EffectError, type EffectProbe, type EffectState } from '../toolkit/effects.ts'
import type { EffectOptions } from '../toolkit/options.ts'
import { parseEffectState, readDetails } from './effect-state.ts'
import { listen } from './local-server.ts'
import { openShell, type Shell } from './processes.ts'

export interface OpenEffectProbe {
  readonly probe: EffectProbe
  /** Where the platform posts what it does, for a sink. */
  readonly sinkUrl?: string
  close(): Promise<void>
}

const closeNothing = () => Promise.resolve()

/** How a platform's effects are read. The probe throws EffectError for what it cannot read. */
export async function openEffectProbe(
  options: EffectOptions,
  shell: Shell = openShell(),
): Promise<OpenEffectProbe> {
  switch (options.kind) {
    case 'http':
      return { probe: (type, id) => readPage(options.url, type, id), close: closeNothing }
    case 'command':
      return { probe: (type, id) => runCommand(options.command, [type, id], shell), close: closeNothing }
    case 'function':
      return {
        probe: async (type, id) => parseEffectState(await options.read(type, id), 'effects.function'),
        close: closeNothing,
      }
    case 'sink':
      return openSink(options.port)
    default:
      return options satisfies never
  }
}

const TIMEOUT_MS = 5_000

async function readPage(template: string, type: string, id: string): Promise<EffectState> {
  const url = template
    .replaceAll('{object_type}', encodeURIComponent(type))
    .replaceAll('{id}', encodeURIComponent(id))
  let answer: Response
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch (cause) {
    throw new EffectError(
      `Cannot read effects.http at ${url}: ${errorMessage(cause)}; is the platform running?`,
      {
        cause,
      },
    )
  }
  const body = await answer.text()
  if (!answer.ok) throw new EffectError(`Cannot read effects.http at ${url}: it answered ${answer.status}`)
  return parseEffectState(requireJson(body, url), url)
}

/** The object type and the id come as arguments of the shell command. */
async function runCommand(command: string, words: readonly string[], shell: Shell): Promise<EffectState> {
  const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
  let printed: string
  try {
    printed = await shell.run([command, ...quoted].join(' '), {
      name: 'effects.command',
      timeoutMs: TIMEOUT_MS,
    })
  } catch (cause) {
    throw new EffectError(errorMessage(cause), { cause })
  }
  return parseEffectState(requireJson(printed, command), command)
}

async function openSink(port: number): Promise<OpenEffectProbe> {
  const seen = new Map<string, EffectState>()
  const server = createServer((request, response) => {
    const answered = text(request).then((body) =>
      response.writeHead(countEffect(body, seen) ? 204 : 400).end(),
    )
    // A request that breaks off in the middle reports nothing.
    answered.catch(() => response.destroy())
  })
  const { origin, close } = await listen(server, port)
  return {
    probe: async (type, id) => seen.get(`${type}/${id}`) ?? { effects: 0, state: null },
    sinkUrl: origin,
    close,
  }
}

/** Whether the body names an effect: then it counts. */
function countEffect(body: string, seen: Map<string, EffectState>): boolean {
  const fields: Record<string, unknown> = Object(parseJson(body))
  const { object_type, id, state = null } = fields
  if (typeof object_type !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return false
  const key = `${object_type}/${id}`
  seen.set(key, {
    effects: (seen.get(key)?.effects ?? 0) + 1,
    state: typeof state === 'string' ? state : null,
    ...readDetails(fields).read,
  })
  return true
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function requireJson(body: string, where: string): unknown {
  const value = parseJson(body)
  if (value !== undefined) return value
  throw new EffectError(`Cannot read effects from ${where}: "${body.slice(0, 80)}" is not JSON`)
}

function errorMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
