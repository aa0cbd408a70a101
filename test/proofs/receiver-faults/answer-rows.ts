import { once } from 'node:events'
import type { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import type { Answered, Exchange } from '../../../sandbox/engine/core/ports.ts'
import { onRequest } from '../../support/scripted-server.ts'
import { EMPTY, OK, saying, serving, type Stage } from './stage.ts'
import { AFTER_SUCCESS, AT_DEADLINE, fault, type FaultRow, type FaultyReceiver } from './row.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'
const KEPT_BYTES = 65_536

const statuses = (id: FaultRow['id'], list: readonly number[]): readonly FaultRow[] =>
  list.map((status) =>
    fault(
      id,
      `answers ${status}`,
      status < 300 ? String(status) : `http_${status}`,
      saying(`HTTP/1.1 ${status} X${[204, 304].includes(status) ? '\r\n\r\n' : EMPTY}`),
    ),
  )

const MALFORMED: readonly (readonly [FaultRow['id'], string, string])[] = [
  ['R25', 'a status beyond 999', 'HTTP/1.1 1000 X\r\n\r\n'],
  ['R25', 'a status of two digits', 'HTTP/1.1 99 X\r\n\r\n'],
  ['R25', 'no status', 'HTTP/1.1 OK\n\n'],
  ['R26', 'random bytes', '\x93\x07\xfe\x00\xaa\xbb\r\n\r\n'],
  ['R26', 'HTTP/0.9', '<html>hello</html>\r\n\r\n'],
  ['R26', 'the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  [
    'R27',
    'Content-Length and chunked encoding',
    `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
  ],
  ['R27', 'two Content-Length headers', `${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`],
  ['R27', 'a negative Content-Length', `${HEAD}Content-Length: -1\r\n\r\n`],
  ['R27', 'a bad chunk size', `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n`],
  ['R29', 'a header of 64 KiB', `${HEAD}X: ${'x'.repeat(65_536)}\r\n\r\n`],
  ['R30', 'a NUL in a header', `${HEAD}X: a\0b${EMPTY}`],
]

const LOCATIONS = [
  'https://169.254.169.254/latest/meta-data/',
  'http://127.0.0.1:{port}/',
  'https://localhost:{port}/',
  '//localhost:{port}/',
  'file:///etc/passwd',
  '/relative',
]

export const ANSWER_ROWS: readonly FaultRow[] = [
  ...statuses('R19', [200, 201, 202, 204, 206, 299]),
  ...[301, 302, 303, 307, 308].flatMap((status) =>
    [undefined, ...LOCATIONS].map((to) => redirect(status, to)),
  ),
  ...statuses('R21', [300, 304]),
  ...statuses('R22', [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429]),
  ...['1', '-1', '9e99', 'Wed, 21 Oct 2026 07:28:00 GMT', 'garbage'].map((after) =>
    fault(
      'R22',
      `answers 429 with Retry-After: ${after}`,
      'http_429',
      saying(`HTTP/1.1 429 X\r\nRetry-After: ${after}${EMPTY}`),
    ),
  ),
  ...statuses('R23', [500, 502, 503, 504, 599]),
  ...statuses('R24', [600, 999]),
  fault('R24', 'responds with status 099', 'http_99 response_incomplete', saying(`HTTP/1.1 099 X${EMPTY}`)),
  fault('R25', 'sends no reason phrase', '200', saying(`HTTP/1.1 200 ${EMPTY}`)),
  fault('R26', 'speaks HTTP/1.0', '200', saying(`HTTP/1.0 200 OK${EMPTY}`)),
  ...MALFORMED.map(([id, what, bytes]) => fault(id, `answers with ${what}`, 'protocol_error', saying(bytes))),
  fault(
    'R28',
    'announces a body of 2^63 bytes',
    '200 response_incomplete',
    saying(`${HEAD}Content-Length: 9223372036854775808\r\n\r\nx`),
    AT_DEADLINE,
  ),
  fault(
    'R29',
    'sends 3000 small headers',
    '200',
    saying(`${HEAD.trimEnd()}\r\n${'a: b\r\n'.repeat(3_000)}Content-Length: 0\r\n\r\n`),
    { inspect: kept(({ headers }) => headers.length, 100) },
  ),
  fault('R30', 'sends headers that are not ASCII', '200', saying(`${HEAD}x-latin: \xe9\xff${EMPTY}`), {
    inspect: kept(({ headers }) => headers[0]?.[1], '\xe9\xff'),
  }),
  fault(
    'R31',
    'sends headers called __proto__ and constructor, and two cookies',
    '200',
    saying(`${HEAD}__proto__: p\r\nconstructor: c\r\nset-cookie: a=1\r\nSet-Cookie: b=2${EMPTY}`),
    {
      inspect: kept(
        ({ headers }) => headers.map((pair) => pair.join('=')).join(' '),
        '__proto__=p constructor=c set-cookie=a=1 Set-Cookie=b=2 Content-Length=0',
      ),
    },
  ),
  fault(
    'R32',
    'sends an endless body',
    '200 response_truncated',
    serving(
      onRequest((socket) => {
        socket.write(`${HEAD}\r\n`)
        const pour = () => void (socket.writable && socket.write(Buffer.alloc(KEPT_BYTES, 'x'), pour))
        pour()
      }),
    ),
    { inspect: kept(({ body }) => body.length, KEPT_BYTES) },
  ),
  fault(
    'R33',
    'sends a gzip bomb',
    '200 response_truncated',
    (stage) => sayingBody(stage, 'Content-Encoding: gzip', BOMB()),
    { inspect: kept(({ body }) => Buffer.compare(body, BOMB().subarray(0, KEPT_BYTES)), 0) },
  ),
  fault(
    'R34',
    'sends a body with 2000 content encodings',
    '200',
    (stage) => sayingBody(stage, `Content-Encoding: ${'br,'.repeat(2_000)}br`, Buffer.from('abc')),
    { inspect: kept(({ body }) => Buffer.from(body).toString(), 'abc') },
  ),
  fault(
    'R35',
    'sends a body that is not text',
    '200',
    (stage) => sayingBody(stage, 'Content-Type: text/html', POISON),
    { inspect: kept(({ body }) => Buffer.compare(body, POISON), 0) },
  ),
  ...['junk', OK].map((surplus) =>
    fault(
      'R36',
      `sends ${surplus === OK ? 'a second answer' : 'junk'} after each answer`,
      '200 response_surplus',
      serving(
        onRequest((socket) => socket.write(OK + surplus)),
        { connections: 2 },
      ),
      AFTER_SUCCESS,
    ),
  ),
  ...['junk', OK].map((surplus) =>
    fault(
      'R36',
      `sends ${surplus === OK ? 'a second answer' : 'junk'} while its kept connection is idle`,
      '200 response_surplus',
      (stage) => sayingLate(stage, surplus),
      AFTER_SUCCESS,
    ),
  ),
  fault(
    'R36',
    'sends a second response to one POST as the response to the next POST',
    'http_500 response_surplus',
    serving(
      onRequest((socket, { number }) =>
        socket.write(number === 1 ? OK : `HTTP/1.1 500 X${EMPTY}HTTP/1.1 200 OK${EMPTY}`),
      ),
      { connections: 1 },
    ),
    AFTER_SUCCESS,
  ),
  ...['leaves', 'ends'].map((how) =>
    fault(
      'R37',
      `rejects a body of 5 MB before it has arrived, and ${how} the connection`,
      'http_413',
      serving((socket) => {
        socket.once('data', () => {
          socket.pause()
          const answer = `HTTP/1.1 413 Too Large${EMPTY}`
          if (how === 'leaves') socket.write(answer)
          else socket.end(answer, () => socket.destroy())
        })
      }),
      { bodyBytes: 5_000_000 },
    ),
  ),
]

function redirect(status: number, to: string | undefined): FaultRow {
  return fault(
    'R20',
    `redirects with status ${status} to ${to ?? 'nowhere'}`,
    `http_${status}`,
    async (stage) => {
      const { port } = await stage.forbid()
      const location = to === undefined ? '' : `\r\nLocation: ${to.replace('{port}', String(port))}`
      const answer = `HTTP/1.1 ${status} X${location}${EMPTY}`
      return { ...(await stage.serve(onRequest((socket) => socket.write(answer)))), connections: 1 }
    },
  )
}

const POISON = Buffer.from('\xff\xfe\x00\x1b[2J</script>\u202e', 'utf8')

let bomb: Buffer | undefined

/** Compresses the body on first use. */
function BOMB(): Buffer {
  return (bomb ??= gzipSync(Buffer.alloc(200_000_000)))
}

function sayingBody(stage: Stage, header: string, body: Buffer) {
  const head = `${HEAD}${header}\r\nContent-Length: ${body.length}\r\n\r\n`
  return stage.serve(
    onRequest((socket) => {
      socket.write(head)
      socket.write(body)
    }),
  )
}

/**
 * Opens a receiver that sends surplus bytes on its first connection while the connection is idle. `ready` resolves when the
 * sandbox has closed this connection.
 */
async function sayingLate(stage: Stage, surplus: string): Promise<FaultyReceiver> {
  let first: TLSSocket | undefined
  const server = await stage.serve(
    onRequest((socket) => {
      first ??= socket
      socket.write(OK)
    }),
  )
  const ready = async () => {
    if (!first) return
    const closed = once(first, 'close')
    first.write(surplus)
    await closed
  }
  return { ...server, connections: 2, ready }
}

function kept<Value>(
  pick: (answer: Answered) => Value,
  expected: Value,
): (exchange: Exchange) => string | undefined {
  return ({ outcome }) => {
    const found = outcome.kind === 'answered' ? pick(outcome) : undefined
    return found === expected ? undefined : String(found)
  }
}
