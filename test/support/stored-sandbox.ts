import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import type { ServeOptions } from '../../sandbox/compose/serve-options.ts'
import { type ServedSandbox, serveSandbox } from '../../sandbox/compose/serve-sandbox.ts'
import { defaultSettings } from '../../sandbox/engine/core/settings.ts'

/** A sandbox with two ports, a file store and a manual clock. */
export interface StoredSandbox extends ServedSandbox {
  readonly errors: string[]
  grant(): Promise<string>
  close(): Promise<void>
}

/** Serves a sandbox on free ports, with its files in `folder`. */
export function serveIn(folder: string, options: Partial<ServeOptions>): Promise<ServedSandbox> {
  return serveSandbox({
    caFolder: join(folder, 'ca'),
    storePath: join(folder, 'store.sqlite'),
    port: 0,
    benchPort: 0,
    speed: 0,
    allowTargets: [],
    settings: defaultSettings,
    onError: (where, error) => console.error(where, error),
    ...options,
  })
}

export async function openStoredSandbox(options: Partial<ServeOptions> = {}): Promise<StoredSandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-stored-'))
  const errors: string[] = []
  const remove = () => rmSync(folder, { recursive: true })
  const onError = (where: string, error: unknown) => void errors.push(`${where}: ${String(error)}`)
  const opening = serveIn(folder, { onError, ...options })
  opening.catch(remove)
  const sandbox = await opening
  return {
    ...sandbox,
    errors,
    async grant() {
      const { client_id, client_secret } = defaultSettings.credentials
      const fields = { grant_type: 'client_credentials', scope: 'x', client_id, client_secret }
      const query = new URLSearchParams(fields).toString()
      return (await rawCall(sandbox.serviceUrl, { path: `/tokens?${query}`, ca: sandbox.ca.certificatePem }))
        .body.access_token
    },
    async close() {
      await sandbox.close()
      remove()
    },
  }
}

/** A request. `HOST` in a header is replaced with the host of the listener. */
export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: readonly string[]
  readonly body?: string | Buffer
  readonly raw?: string
  readonly ca?: string
}

export interface RawAnswer {
  /** The status. Null if the connection was closed without a response. */
  readonly status: number | null
  readonly headers: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks at any field
  readonly body: any
}

/** Sends exactly the bytes of the request. Resolves when the connection is closed. */
export function rawCall(url: string, request: RawRequest): Promise<RawAnswer> {
  const { host, port, protocol } = new URL(url)
  const { method = 'POST', path, headers = [], body = '', raw, ca = '' } = request
  const bytes = Buffer.from(body)
  const length = bytes.length > 0 ? [`Content-Length: ${bytes.length}`] : []
  const named = headers.some((header) => /^host:/i.test(header)) ? [] : ['Host: HOST']
  const lines = [`${method} ${path} HTTP/1.1`, ...named, ...length, ...headers, 'Connection: close', '', '']
  const head = (raw ?? lines.join('\r\n')).replaceAll('HOST', host)
  return new Promise((resolve) => {
    const place = { host: '127.0.0.1', port: Number(port) }
    const socket = protocol === 'https:' ? connectSecurely({ ...place, ca }) : connect(place)
    let answer = ''
    socket.on('data', (data) => (answer += data.toString()))
    // If the listener rejects the request early, sending the rest of the request can fail.
    socket.on('error', () => {})
    socket.on('close', () => resolve(parseAnswer(answer)))
    socket.write(Buffer.concat([Buffer.from(head, 'latin1'), bytes]))
  })
}

function parseAnswer(answer: string): RawAnswer {
  const [headers = '', ...rest] = answer.split('\r\n\r\n')
  const text = rest.join('\r\n\r\n')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1]
  return { status: status === undefined ? null : Number(status), headers, body: parseJson(text) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
