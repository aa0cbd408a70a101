import type { DeliveryCopies } from '../../../spec/generated/control-types.ts'
import { SIGNATURE_HEADER } from '../../../spec/signature-header.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { reply } from '../operations/operation.ts'
import { composeDelivery } from './deliveries.ts'
import { findJobDetail } from './jobs.ts'
import { lookBack } from './look-back.ts'
import type { ControlContext, ControlOperation } from './operation.ts'
import {
  commandLine,
  type CommandTarget,
  DEFAULT_DATA_FOLDER,
  quoteForShell,
} from '../../engine/core/command-line.ts'
import { toPrintableJson } from '../../engine/core/short-text.ts'

/** Copies the last request of a job. */
export const getJobCopies: ControlOperation<'getJobCopies'> = lookBack(({ path }, context) => {
  const { job, attempts } = findJobDetail(path.id, context)
  const last = attempts.at(-1)
  if (!last)
    throw new ApiError('conflict', `Cannot copy the body of job "${job.id}": it has sent nothing yet`)
  const { url, request } = last
  const copied = {
    message: { url, headers: request.headers, body: request.body },
    about: `${job.object_type} ${job.object_id}, ${job.state ?? 'changed'}`,
    order: { target: { job: job.id }, signed: isSigned(request.headers) },
  }
  return reply(200, toCopies(copied, context))
})

/** Copies the request that a delivery would send now. */
export const copyDelivery: ControlOperation<'copyDelivery'> = ({ body: asked }, context) => {
  const { registration, raw, headers = {}, signed = false, times = 1 } = asked
  const { message } = composeDelivery(asked, context)
  const copied = {
    message: { url: message.url, headers: Object.entries(message.headers), body: raw },
    about: 'what was edited',
    order: { target: { registration, raw }, headers: Object.entries(headers), signed, times },
  }
  return reply(200, toCopies(copied, context))
}

interface Copied {
  readonly message: SentMessage
  /** The subject of the test. */
  readonly about: string
  readonly order: DeliveryOrder
}

function toCopies(
  { message, about, order }: Copied,
  { dataFolder, worldName }: ControlContext,
): DeliveryCopies {
  return {
    curl: formatCurl(message, dataFolder),
    command: formatDeliver(order, { data: dataFolder, world: worldName }),
    test: formatVitest(message, about, dataFolder),
  }
}

function isSigned(headers: SentMessage['headers']): boolean {
  return headers.some(([name]) => name?.toLowerCase() === SIGNATURE_HEADER.toLowerCase())
}

interface SentMessage {
  readonly url: string
  readonly headers: readonly (readonly string[])[]
  readonly body: string
}

/** The sandbox keeps its certificate authority here. */
const caFile = (folder: string) => `${folder.replace(/\/+$/, '')}/ca/ca.crt.pem`

/** Headers of the connection, which each client sets itself. */
const OF_THE_CONNECTION = /^(host|connection|content-length|transfer-encoding)$/i

export function formatCurl({ url, headers, body }: SentMessage, folder = DEFAULT_DATA_FOLDER): string {
  const isPlain = fitsInQuotes(body)
  const words = [
    `curl -i --cacert ${quoteForShell(caFile(folder))}`,
    // Brackets in a URL are not a pattern.
    `--globoff ${quoteForShell(url)}`,
    ...ownHeaders(headers).map(
      ([name, value]) => `-H ${quoteForShell(value === '' ? `${name};` : `${name}: ${value}`)}`,
    ),
    isPlain ? `--data-raw ${quoteForShell(body)}` : '--data-binary @-',
  ]
  return `${isPlain ? '' : `${printfCommand(body)} | `}${joinParts(words)}`
}

/** The options of `deliver`. */
interface DeliveryOrder {
  /** A job whose last bytes are sent, or a registration and other bytes. */
  readonly target: { readonly job: string } | { readonly registration: string; readonly raw: string }
  readonly headers?: readonly (readonly string[])[]
  readonly signed: boolean
  readonly times?: number
}

export function formatDeliver(
  { target, headers = [], signed, times = 1 }: DeliveryOrder,
  sandbox: CommandTarget = {},
): string {
  const raw = 'raw' in target ? target.raw : ''
  // An "@" would mean a file.
  const isPlain = fitsInQuotes(raw) && !raw.startsWith('@')
  const words = [
    commandLine('deliver', sandbox),
    ...('job' in target
      ? [`--job ${quoteForShell(target.job)}`]
      : [
          `--registration ${quoteForShell(target.registration)}`,
          `--raw ${isPlain ? quoteForShell(raw) : '@-'}`,
        ]),
    ...headers.map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(signed ? ['--signed'] : []),
    ...(times === 1 ? [] : [`--times ${times}`]),
  ]
  return `${isPlain ? '' : `${printfCommand(raw)} | `}${joinParts(words)}`
}

/** Formats a test that sends the request again. `about` names its subject. */
export function formatVitest(
  { url, headers, body }: SentMessage,
  about: string,
  folder = DEFAULT_DATA_FOLDER,
): string {
  const lines = ownHeaders(headers).map(
    ([name = '', value = '']) => `      ${literal(name)}: ${literal(value)},`,
  )
  return `import { expect, test } from 'vitest'

// Let Node trust the certificate of the receiver: NODE_EXTRA_CA_CERTS=${quoteForShell(caFile(folder))} npx vitest
test(${literal(`the receiver accepts ${about}`)}, async () => {
  const response = await fetch(${literal(url)}, {
    method: 'POST',
    redirect: 'manual',
    headers: {
${lines.join('\n')}
    },
    body: ${literal(body)},
  })

  expect(response.ok, \`it answered \${response.status}\`).toBe(true)
})
`
}

const literal = (text: string) => toPrintableJson(text)

function ownHeaders(headers: SentMessage['headers']): SentMessage['headers'] {
  return headers.filter(([name = '']) => !OF_THE_CONNECTION.test(name))
}

/** Joins the parts of a command, with line breaks if it is long. */
function joinParts(parts: readonly string[]): string {
  const line = parts.join(' ')
  return line.length <= 100 ? line : parts.join(' \\\n  ')
}

/** True if the text is one word for a shell and safe to paste into a terminal. */
function fitsInQuotes(text: string): boolean {
  return !ODD.test(text)
}

// oxlint-disable-next-line no-control-regex -- these are the characters that a terminal obeys, or that turn a line around
const ODD = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

/** Formats a command that prints exactly these bytes. */
function printfCommand(text: string): string {
  const octal = (character: string) =>
    [...new TextEncoder().encode(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')
  const escaped = text.replaceAll('\\', String.raw`\\`).replaceAll(new RegExp(ODD, 'g'), octal)
  return `printf %b ${quoteForShell(escaped)}`
}
