import { rootCertificates } from 'node:tls'
import type { EffectProbe, EffectState } from '../toolkit/effects.ts'
import type { EffectOptions } from '../toolkit/options.ts'
import { ProbeError } from '../toolkit/probe-error.ts'
import { EXAMPLE, formatValue, parseJson, parseEffectState } from './effect-state.ts'
import { openSink } from './effect-sink.ts'
import { openShell, type Shell } from './processes.ts'
import { commandLine, explainNoAnswer, fetchTrusting, maskText } from '../../sandbox/internal.ts'

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
  /** How long a page may take for an answer; real milliseconds. */
  readonly timeoutMs?: number
}

/** How a platform's effects are read. The probe throws ProbeError for what it cannot read. */
export async function openEffectProbe(
  options: EffectOptions,
  { trusted = [], shell = openShell(), dataFolder, timeoutMs = TIMEOUT_MS }: ProbePorts = {},
): Promise<OpenEffectProbe> {
  switch (options.kind) {
    case 'http':
      return openPage(options.url, { trusted, dataFolder, timeoutMs })
    case 'command':
      return { probe: (type, id) => runCommand(options.command, [type, id], shell), close: closeNothing }
    case 'function':
      return {
        probe: async (type, id) =>
          parseEffectState(await callFunction(options, type, id), 'effects.function'),
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
  readonly timeoutMs: number
}

async function openPage(template: string, { trusted, ...ports }: PagePorts): Promise<OpenEffectProbe> {
  const call = template.startsWith('https:') ? await fetchTrusting([...rootCertificates, ...trusted]) : fetch
  return {
    probe: (type, id) =>
      readPage(
        template
          .replaceAll('{object_type}', encodeURIComponent(type))
          .replaceAll('{id}', encodeURIComponent(id)),
        { call, ...ports },
      ),
    close: closeNothing,
  }
}

interface PageCall extends Omit<PagePorts, 'trusted'> {
  readonly call: typeof fetch
}

async function readPage(url: string, { call, dataFolder, timeoutMs }: PageCall): Promise<EffectState> {
  const where = `effects.http at ${maskText(url)}`
  let status: number
  let body: string
  try {
    const answer = await call(url, { signal: AbortSignal.timeout(timeoutMs) })
    status = answer.status
    body = await answer.text()
  } catch (cause) {
    const { reason, isUntrusted } = explainNoAnswer(cause, url)
    const remedy = isUntrusted
      ? `let it show a certificate of the sandbox's CA ("${commandLine(`cert ${new URL(url).hostname}`, dataFolder)}" issues one), or name its CA as receiver.ca`
      : 'start your platform, or correct the URL'
    throw new ProbeError(`Cannot read ${where}: ${reason}; ${remedy}`, { cause })
  }
  if (status < 200 || status > 299) {
    const remedy =
      'answer 200, for an object that you do not know as well, with {"effects": 0, "state": null}'
    throw new ProbeError(`Cannot read ${where}: it answered ${status}; ${remedy}`)
  }
  return parseEffectState(requireJson(body, where), where)
}

/** The object type and the id come as arguments of the shell command. */
async function runCommand(command: string, words: readonly string[], shell: Shell): Promise<EffectState> {
  const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
  const line = [command, ...quoted].join(' ')
  const printed = await shell.run(line, { name: 'effects.command', timeoutMs: TIMEOUT_MS })
  const where = `effects.command "${command}"`
  return parseEffectState(requireJson(printed, where), where)
}

function requireJson(body: string, where: string): unknown {
  const value = parseJson(body)
  if (value !== undefined) return value
  throw new ProbeError(
    `Cannot read effects from ${where}: ${formatValue(body)} is not JSON; answer such as ${EXAMPLE}`,
  )
}

type FunctionOptions = Extract<EffectOptions, { readonly kind: 'function' }>

/** What it throws is about the platform that it looks at. */
async function callFunction({ read }: FunctionOptions, type: string, id: string): Promise<EffectState> {
  try {
    return await read(type, id)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ProbeError(
      `Cannot read effects.function: it threw "${reason}" for ${type} "${id}"; return ${EXAMPLE}`,
      { cause },
    )
  }
}
