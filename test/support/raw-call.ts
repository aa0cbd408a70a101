import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'

/** A request as it goes over the wire; `HOST` in a header stands for the listener's own. */
export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: readonly string[]
  readonly body?: string | Buffer
  /** What stands in its place: `path`, headers and body are left out then. */
  readonly raw?: string
  /** PEM of what a listener over HTTPS is trusted by. */
  readonly ca?: string
}

export interface RawAnswer {
  /** Null if the connection was closed without an answer. */
  readonly status: number | null
  readonly headers: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks at any field
  readonly body: any
}

/** Sends exactly these bytes to a listener on this machine; what it answers until it closes the connection. */
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
    // What is refused early is cut off while it is sent.
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
