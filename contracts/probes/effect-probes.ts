import { rootCertificates } from 'node:tls'
import { EffectError, type EffectProbe, type EffectState } from '../toolkit/effects.ts'
import type { EffectOptions } from '../toolkit/options.ts'
import { EXAMPLE, formatValue, parseJson, parseEffectState } from './effect-state.ts'
import { openSink } from './effect-sink.ts'
import { openShell, type Shell } from './processes.ts'
import { commandLine, explainNoAnswer, fetchTrusting } from '../../sandbox/internal.ts'

export interface OpenEffectProbe {
  readonly probe: EffectProbe
  /** Where the platform posts what it does, for a sink. */
  readonly sinkUrl?: string
  close(): Promise<void>
}

const closeNothing = () => Promise.resolve()

interface ProbePorts {
  /** PEMs of CAs that a page over HTTPS may have its certificate from, beside the public ones. */
  readonly trusted?: readonly string[]
  readonly shell?: Shell
  /** The data folder with the CA that issues certificates; the default one if left out. */
  readonly dataFolder?: string | undefined
}

/** How a platform's effects are read. The probe throws EffectError for what it cannot read. */
export async function openEffectProbe(
  options: EffectOptions,
  { trusted = [], shell = openShell(), dataFolder }: ProbePorts = {},
): Promise<OpenEffectProbe> {
  switch (options.kind) {
    case 'http':
      return openPage(options.url, { trusted, dataFolder })
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

/** Far more than a page needs, so that a busy machine ends no run. */
const TIMEOUT_MS = 30_000

interface PagePorts {
  readonly trusted: readonly string[]
  readonly dataFolder: string | undefined
}

async function openPage(template: string, { trusted, dataFolder }: PagePorts): Promise<OpenEffectProbe> {
  const call = template.startsWith('https:') ? await fetchTrusting([...rootCertificates, ...trusted]) : fetch
  return {
    probe: (type, id) =>
      readPage(
        template
          .replaceAll('{object_type}', encodeURIComponent(type))
          .replaceAll('{id}', encodeURIComponent(id)),
        { call, dataFolder },
      ),
    close: closeNothing,
  }
}

interface PageCall extends Pick<PagePorts, 'dataFolder'> {
  readonly call: typeof fetch
}

async function readPage(url: string, { call, dataFolder }: PageCall): Promise<EffectState> {
  const where = `effects.http at ${url}`
  let status: number
  let body: string
  try {
    const answer = await call(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    status = answer.status
    body = await answer.text()
  } catch (cause) {
    const { reason, isUntrusted } = explainNoAnswer(cause, url)
    const remedy = isUntrusted
      ? `let it show a certificate of the sandbox's CA ("${commandLine(`cert ${new URL(url).hostname}`, dataFolder)}" issues one), or name its CA as receiver.ca`
      : 'start your platform, or correct the URL'
    throw new EffectError(`Cannot read ${where}: ${reason}; ${remedy}`, { cause })
  }
  if (status < 200 || status > 299) {
    const remedy =
      'answer 200, for an object that you do not know as well, with {"effects": 0, "state": null}'
    throw new EffectError(`Cannot read ${where}: it answered ${status}; ${remedy}`)
  }
  return parseEffectState(requireJson(body, where), where)
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
  const where = `effects.command "${command}"`
  return parseEffectState(requireJson(printed, where), where)
}

function requireJson(body: string, where: string): unknown {
  const value = parseJson(body)
  if (value !== undefined) return value
  throw new EffectError(
    `Cannot read effects from ${where}: ${formatValue(body)} is not JSON; answer such as ${EXAMPLE}`,
  )
}

function errorMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
