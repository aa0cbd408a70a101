import { AFTER_SUCCESS, AT_DEADLINE, SINCE_NODE_24, fault, type FaultRow } from './row.ts'
import {
  closingAfter,
  dripping,
  EMPTY,
  failsWith,
  OK,
  openFullQueue,
  resettingAfter,
  saying,
  serving,
  servingTcp,
} from './stage.ts'
import { onRequest } from '../../support/scripted-server.ts'

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const FAILED = 'HTTP/1.1 500 X\r\nContent-Length: 10\r\n\r\nabc'
const CLOSING = 'HTTP/1.1 200 OK\r\nConnection: close\r\n'
const CLOSED = `HTTP/1.1 200 OK\r\nConnection: close${EMPTY}`
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const HINT = 'HTTP/1.1 103 Early Hints\r\n\r\n'

/** No receiver ever uses port 1. A released port could be used by another row. */
const listensNowhere = () => ({ url: 'https://localhost:1/hooks/7d1c' })

const unreachable = (code: string) => () => ({
  url: 'https://localhost:9/hooks/7d1c',
  lookup: failsWith(code),
})

export const CONNECTION_ROWS: readonly FaultRow[] = [
  fault('R01', 'nothing listens', 'connect_refused', listensNowhere),
  fault('R02', 'its connections are dropped silently', 'connect_timeout', openFullQueue, AT_DEADLINE),
  fault('R03', 'its connections are refused by a reset', 'connect_refused', unreachable('ECONNREFUSED')),
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EACCES', 'EPERM'].map((code) =>
    fault('R04', `there is no way to it (${code})`, 'unreachable', unreachable(code)),
  ),
  fault('R05', 'closes unanswered', 'closed_without_response', closingAfter('')),
  fault(
    'R05',
    'closes in its headers',
    'closed_without_response',
    closingAfter('HTTP/1.1 200 OK\r\nContent-Le'),
  ),
  fault(
    'R05',
    'closes once the connection is secured',
    'closed_without_response',
    serving((socket) => socket.end()),
  ),
  fault(
    'R06',
    'resets as soon as the connection is there',
    'reset',
    servingTcp((socket) => socket.resetAndDestroy()),
  ),
  fault('R06', 'resets unanswered', 'reset', resettingAfter('')),
  fault(
    'R06',
    'resets once the connection is secured',
    'reset',
    serving((_, reset) => reset()),
  ),
  fault(
    'R07',
    'resets in its headers',
    'reset',
    resettingAfter('HTTP/1.1 200 OK\r\nContent-Le'),
    SINCE_NODE_24,
  ),
  ...Object.entries({
    [HEAD]: 'its body',
    [`${CLOSING}Content-Length: 9\r\n\r\n`]: 'a closing body',
  }).flatMap(([head, where]) => cutOff('R08', where, `${head}abc`)),
  ...cutOff('R09', 'a chunk', `${CHUNKED}5\r\nab`),
  ...cutOff('R09', 'a closing chunk', `${CLOSING}Transfer-Encoding: chunked\r\n\r\n5\r\nab`),
  fault('R10', 'fails and closes', 'http_500 response_incomplete', closingAfter(FAILED)),
  fault('R10', 'fails and resets', 'http_500 response_incomplete', resettingAfter(FAILED)),
  fault('R11', 'does not answer', 'header_timeout', serving(onRequest(() => undefined)), AT_DEADLINE),
  fault('R11', 'sends half a status line', 'header_timeout', saying('HTTP/1.1 20'), AT_DEADLINE),
  fault('R12', 'sends no body after its headers', '200 response_incomplete', saying(HEAD), AT_DEADLINE),
  fault(
    'R12',
    'fails, and sends no body',
    'http_500 response_incomplete',
    saying('HTTP/1.1 500 X\r\nContent-Length: 10\r\n\r\n'),
    AT_DEADLINE,
  ),
  fault('R13', 'drips its headers', 'header_timeout', dripping('HTTP/1.1 200 OK\r\nX: ', 'x'), AT_DEADLINE),
  fault('R14', 'drips its body', '200 response_incomplete', dripping(`${CLOSING}\r\n`, 'x'), AT_DEADLINE),
  fault(
    'R15',
    'does not read 20 MB',
    'send_timeout',
    serving((socket) => socket.pause()),
    { atDeadline: true, bodyBytes: 20_000_000 },
  ),
  fault('R16', 'sends early hints without end', 'header_timeout', saying(HINT.repeat(300)), {
    inspect: ({ outcome }) =>
      outcome.kind === 'unanswered' && outcome.message.includes('more than 32 interim')
        ? undefined
        : JSON.stringify(outcome),
  }),
  fault('R16', 'drips early hints', 'header_timeout', dripping('', HINT), AT_DEADLINE),
  fault('R16', 'sends an early hint first', '200', saying(HINT + OK)),
  fault('R17', 'says 100 Continue, unasked', '200', saying(CONTINUE + OK)),
  fault(
    'R17',
    'says 100 Continue with a header, an early hint, and 100 Continue again',
    '200',
    saying(`HTTP/1.1 100 Continue\r\nA: HTTP/1.1 100\r\n\r\n${HINT}${CONTINUE}${OK}`),
  ),
  fault('R17', 'says 100 Continue 300 times', 'header_timeout', saying(CONTINUE.repeat(300))),
  fault('R17', 'drips 100 Continue and no answer', 'header_timeout', dripping('', CONTINUE), AT_DEADLINE),
  fault('R17', 'says 100 Continue and closes', 'closed_without_response', closingAfter(CONTINUE)),
  fault('R17', 'answers before there is a request', 'protocol_error', (stage) =>
    stage.serve((socket) => socket.write(OK), { ...stage.certificate, maxVersion: 'TLSv1.2' }),
  ),
  fault('R17', 'answers before there is a request, and closes', 'protocol_error', (stage) =>
    stage.serve((socket) => socket.end(OK), { ...stage.certificate, maxVersion: 'TLSv1.2' }),
  ),
  fault(
    'R18',
    'switches protocols',
    'unexpected_upgrade',
    saying('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  ),
  fault('R18', 'answers 101 and no more', 'unexpected_upgrade', saying('HTTP/1.1 101 X\r\n\r\n')),
  fault(
    'R38',
    'closes each connection after its answer',
    '200',
    serving(
      onRequest((each) => each.end(CLOSED)),
      { connections: 2 },
    ),
    AFTER_SUCCESS,
  ),
  ...['end', 'reset'].map((how) =>
    fault(
      'R38',
      `ends its kept connection at the next POST (${how})`,
      '200 connection_retried',
      serving(
        onRequest((socket, { number, reset }) =>
          number === 1 ? socket.write(OK) : how === 'end' ? socket.end() : reset(),
        ),
        { connections: 2 },
      ),
      AFTER_SUCCESS,
    ),
  ),
]

function cutOff(id: FaultRow['id'], where: string, bytes: string): readonly FaultRow[] {
  const outcome = '200 response_incomplete'
  return [
    fault(id, `closes in ${where}`, outcome, closingAfter(bytes)),
    fault(id, `resets in ${where}`, outcome, resettingAfter(bytes)),
  ]
}
