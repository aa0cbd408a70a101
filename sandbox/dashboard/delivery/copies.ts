import {
  commandLine,
  type CommandTarget,
  DEFAULT_DATA_FOLDER,
  quoteForShell,
} from '../../engine/core/command-line.ts'
import { toPrintableJson } from '../../engine/core/short-text.ts'

interface SentMessage {
  readonly url: string
  readonly headers: readonly (readonly string[])[]
  readonly body: string
}

const caFile = (folder: string) => `${folder.replace(/\/+$/, '')}/ca/ca.crt.pem`

/** The headers that each HTTP client sets itself. Copied commands omit these headers. */
const OF_THE_CONNECTION = /^(host|connection|content-length|transfer-encoding)$/i

export function formatCurl({ url, headers, body }: SentMessage, folder = DEFAULT_DATA_FOLDER): string {
  const isPlain = fitsInQuotes(body)
  const words = [
    `curl -i --cacert ${quoteForShell(caFile(folder))}`,
    // Without --globoff, curl treats brackets in a URL as a pattern.
    `--globoff ${quoteForShell(url)}`,
    ...ownHeaders(headers).map(
      ([name, value]) => `-H ${quoteForShell(value === '' ? `${name};` : `${name}: ${value}`)}`,
    ),
    isPlain ? `--data-raw ${quoteForShell(body)}` : '--data-binary @-',
  ]
  return `${isPlain ? '' : `${printfCommand(body)} | `}${joinParts(words)}`
}

type DeliveryOrder =
  | { readonly job: string; readonly signed: boolean }
  | {
      readonly registration: string
      readonly raw: string
      readonly headers: Readonly<Record<string, string>>
      readonly signed: boolean
      readonly times: number
    }

export function formatDeliver(order: DeliveryOrder, sandbox: CommandTarget = {}): string {
  const edited = 'raw' in order ? order : { raw: '', headers: {}, times: 1 }
  const { raw, times } = edited
  // A body that starts with "@" is piped in with `printf`, because `--raw` would read it as a file name.
  const isPlain = fitsInQuotes(raw) && !raw.startsWith('@')
  const words = [
    commandLine('deliver', sandbox),
    ...('job' in order
      ? [`--job ${quoteForShell(order.job)}`]
      : [
          `--registration ${quoteForShell(order.registration)}`,
          `--raw ${isPlain ? quoteForShell(raw) : '@-'}`,
        ]),
    ...Object.entries(edited.headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(order.signed ? ['--signed'] : []),
    ...(times === 1 ? [] : [`--times ${times}`]),
  ]
  return `${isPlain ? '' : `${printfCommand(raw)} | `}${joinParts(words)}`
}

export function formatVitest(
  { url, headers, body }: SentMessage,
  about: string,
  folder = DEFAULT_DATA_FOLDER,
): string {
  const lines = ownHeaders(headers).map(
    ([name = '', value = '']) => `      ${toPrintableJson(name)}: ${toPrintableJson(value)},`,
  )
  return `import { expect, test } from 'vitest'

// Let Node trust the certificate of the receiver: NODE_EXTRA_CA_CERTS=${quoteForShell(caFile(folder))} npx vitest
test(${toPrintableJson(`the receiver accepts ${about}`)}, async () => {
  const response = await fetch(${toPrintableJson(url)}, {
    method: 'POST',
    redirect: 'manual',
    headers: {
${lines.join('\n')}
    },
    body: ${toPrintableJson(body)},
  })

  expect(response.ok, \`it answered \${response.status}\`).toBe(true)
})
`
}

function ownHeaders(headers: SentMessage['headers']): SentMessage['headers'] {
  return headers.filter(([name = '']) => !OF_THE_CONNECTION.test(name))
}

function joinParts(parts: readonly string[]): string {
  const line = parts.join(' ')
  return line.length <= 100 ? line : parts.join(' \\\n  ')
}

/** Returns true if the text can be quoted for a shell and safely pasted into a terminal. */
const fitsInQuotes = (text: string) => !ODD.test(text)

// oxlint-disable-next-line no-control-regex -- matches the characters that control a terminal or change the writing direction
const ODD = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

function printfCommand(text: string): string {
  const octal = (character: string) =>
    [...new TextEncoder().encode(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')
  const escaped = text.replaceAll('\\', String.raw`\\`).replaceAll(new RegExp(ODD, 'g'), octal)
  return `printf %b ${quoteForShell(escaped)}`
}

export function parseHeaders(text: string) {
  const headers: Record<string, string> = {}
  const taken = new Set<string>()
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, name, value = ''] = /^\s*([^:\s]+):\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined)
      return { headers, problem: `Cannot read "${line.trim()}": write the header as name: value` }
    if (taken.has(name.toLowerCase()))
      return { headers, problem: `Cannot send "${name}" twice: join its values in one header` }
    taken.add(name.toLowerCase())
    headers[name] = value
  }
  return { headers, problem: '' }
}
