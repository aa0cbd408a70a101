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

/** No receiver ever uses port 1. Another test could reuse a port that has been released. */
const listensNowhere = () => ({ url: 'https://localhost:1/hooks/7d1c' })

const unreachable = (code: string) => () => ({
  url: 'https://localhost:9/hooks/7d1c',
  lookup: failsWith(code),
})

export const CONNECTION_ROWS: readonly FaultRow[] = [
  fault('R01', 'does not listen', 'connect_refused', listensNowhere),
  fault('R02', 'drops connections silently', 'connect_timeout', openFullQueue, AT_DEADLINE),
  fault('R03', 'refuses connections with a reset', 'connect_refused', unreachable('ECONNREFUSED')),
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EACCES', 'EPERM'].map((code) =>
    fault('R04', `is unreachable (${code})`, 'unreachable', unreachable(code)),
  ),
  fault('R05', 'closes the connection without a response', 'closed_without_response', closingAfter('')),
  fault(
    'R05',
    'closes the connection within the headers',
    'closed_without_response',
    closingAfter('HTTP/1.1 200 OK\r\nContent-Le'),
  ),
  fault(
    'R05',
    'closes the connection after the TLS handshake',
    'closed_without_response',
    serving((socket) => socket.end()),
  ),
  fault(
    'R06',
    'resets the connection as soon as it opens',
    'reset',
    servingTcp((socket) => socket.resetAndDestroy()),
  ),
  fault('R06', 'resets the connection without a response', 'reset', resettingAfter('')),
  fault(
    'R06',
    'resets the connection after the TLS handshake',
    'reset',
    serving((_, reset) => reset()),
  ),
  fault(
    'R07',
    'resets the connection within the headers',
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
  fault(
    'R10',
    'responds 500 and closes the connection',
    'http_500 response_incomplete',
    closingAfter(FAILED),
  ),
  fault(
    'R10',
    'responds 500 and resets the connection',
    'http_500 response_incomplete',
    resettingAfter(FAILED),
  ),
  fault('R11', 'does not respond', 'header_timeout', serving(onRequest(() => undefined)), AT_DEADLINE),
  fault('R11', 'sends half a status line', 'header_timeout', saying('HTTP/1.1 20'), AT_DEADLINE),
  fault('R12', 'sends no body after its headers', '200 response_incomplete', saying(HEAD), AT_DEADLINE),
  fault(
    'R12',
    'responds 500 and sends no body',
    'http_500 response_incomplete',
    saying('HTTP/1.1 500 X\r\nContent-Length: 10\r\n\r\n'),
    AT_DEADLINE,
  ),
  fault(
    'R13',
    'sends its headers very slowly',
    'header_timeout',
    dripping('HTTP/1.1 200 OK\r\nX: ', 'x'),
    AT_DEADLINE,
  ),
  fault(
    'R14',
    'sends its body very slowly',
    '200 response_incomplete',
    dripping(`${CLOSING}\r\n`, 'x'),
    AT_DEADLINE,
  ),
  fault(
    'R15',
    'does not read a body of 20 MB',
    'send_timeout',
    serving((socket) => socket.pause()),
    { atDeadline: true, bodyBytes: 20_000_000 },
  ),
  fault('R16', 'sends early hints endlessly', 'header_timeout', saying(HINT.repeat(300)), {
    inspect: ({ outcome }) =>
      outcome.kind === 'unanswered' && outcome.message.includes('more than 32 interim')
        ? undefined
        : JSON.stringify(outcome),
  }),
  fault('R16', 'sends early hints very slowly', 'header_timeout', dripping('', HINT), AT_DEADLINE),
  fault('R16', 'sends an early hint before its response', '200', saying(HINT + OK)),
  fault('R17', 'sends an unrequested 100 Continue', '200', saying(CONTINUE + OK)),
  fault(
    'R17',
    'sends 100 Continue with a header, an early hint, and 100 Continue again',
    '200',
    saying(`HTTP/1.1 100 Continue\r\nA: HTTP/1.1 100\r\n\r\n${HINT}${CONTINUE}${OK}`),
  ),
  fault('R17', 'sends 100 Continue 300 times', 'header_timeout', saying(CONTINUE.repeat(300))),
  fault(
    'R17',
    'sends 100 Continue repeatedly and never responds',
    'header_timeout',
    dripping('', CONTINUE),
    AT_DEADLINE,
  ),
  fault(
    'R17',
    'sends 100 Continue and closes the connection',
    'closed_without_response',
    closingAfter(CONTINUE),
  ),
  fault('R17', 'answers before there is a request', 'protocol_error', (stage) =>
    stage.serve((socket) => socket.write(OK), { ...stage.certificate, maxVersion: 'TLSv1.2' }),
  ),
  fault('R17', 'responds before a request arrives and closes the connection', 'protocol_error', (stage) =>
    stage.serve((socket) => socket.end(OK), { ...stage.certificate, maxVersion: 'TLSv1.2' }),
  ),
  fault(
    'R18',
    'switches protocols',
    'unexpected_upgrade',
    saying('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  ),
  fault('R18', 'responds 101 and sends nothing else', 'unexpected_upgrade', saying('HTTP/1.1 101 X\r\n\r\n')),
  fault(
    'R38',
    'closes each connection after its response',
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
      `ends a kept connection at the next POST (${how})`,
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
    fault(id, `closes the connection within ${where}`, outcome, closingAfter(bytes)),
    fault(id, `resets the connection within ${where}`, outcome, resettingAfter(bytes)),
  ]
}
