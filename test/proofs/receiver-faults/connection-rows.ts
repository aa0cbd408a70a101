import type { FaultRow } from './row.ts'
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
  type Stage,
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
  { id: 'R01', what: 'nothing listens', outcome: 'connect_refused', open: listensNowhere },
  {
    id: 'R02',
    what: 'its connections are dropped silently',
    outcome: 'connect_timeout',
    atDeadline: true,
    open: openFullQueue,
  },
  {
    id: 'R03',
    what: 'its connections are refused by a reset',
    outcome: 'connect_refused',
    open: unreachable('ECONNREFUSED'),
  },
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EACCES', 'EPERM'].map((code) => ({
    id: 'R04' as const,
    what: `there is no way to it (${code})`,
    outcome: 'unreachable',
    open: unreachable(code),
  })),
  { id: 'R05', what: 'closes unanswered', outcome: 'closed_without_response', open: closingAfter('') },
  {
    id: 'R05',
    what: 'closes in its headers',
    outcome: 'closed_without_response',
    open: closingAfter('HTTP/1.1 200 OK\r\nContent-Le'),
  },
  {
    id: 'R05',
    what: 'closes once the connection is secured',
    outcome: 'closed_without_response',
    open: serving((socket) => socket.end()),
  },
  {
    id: 'R06',
    what: 'resets as soon as the connection is there',
    outcome: 'reset',
    open: (stage) => stage.serveTcp((socket) => void socket.resetAndDestroy()),
  },
  { id: 'R06', what: 'resets unanswered', outcome: 'reset', open: resettingAfter('') },
  {
    id: 'R06',
    what: 'resets once the connection is secured',
    outcome: 'reset',
    open: serving((_, reset) => reset()),
  },
  {
    id: 'R07',
    what: 'resets in its headers',
    outcome: 'reset',
    sinceNode24: true,
    open: resettingAfter('HTTP/1.1 200 OK\r\nContent-Le'),
  },
  ...Object.entries({
    [HEAD]: 'its body',
    [`${CLOSING}Content-Length: 9\r\n\r\n`]: 'a closing body',
  }).flatMap(([head, where]) => cutOff('R08', where, `${head}abc`)),
  ...cutOff('R09', 'a chunk', `${CHUNKED}5\r\nab`),
  ...cutOff('R09', 'a closing chunk', `${CLOSING}Transfer-Encoding: chunked\r\n\r\n5\r\nab`),
  {
    id: 'R10',
    what: 'fails and closes',
    outcome: 'http_500 response_incomplete',
    open: closingAfter(FAILED),
  },
  {
    id: 'R10',
    what: 'fails and resets',
    outcome: 'http_500 response_incomplete',
    open: resettingAfter(FAILED),
  },
  {
    id: 'R11',
    what: 'does not answer',
    outcome: 'header_timeout',
    atDeadline: true,
    open: serving(onRequest(() => undefined)),
  },
  {
    id: 'R11',
    what: 'sends half a status line',
    outcome: 'header_timeout',
    atDeadline: true,
    open: saying('HTTP/1.1 20'),
  },
  {
    id: 'R12',
    what: 'sends no body after its headers',
    outcome: '200 response_incomplete',
    atDeadline: true,
    open: saying(HEAD),
  },
  {
    id: 'R12',
    what: 'fails, and sends no body',
    outcome: 'http_500 response_incomplete',
    atDeadline: true,
    open: saying('HTTP/1.1 500 X\r\nContent-Length: 10\r\n\r\n'),
  },
  {
    id: 'R13',
    what: 'drips its headers',
    outcome: 'header_timeout',
    atDeadline: true,
    open: dripping('HTTP/1.1 200 OK\r\nX: ', 'x'),
  },
  {
    id: 'R14',
    what: 'drips its body',
    outcome: '200 response_incomplete',
    atDeadline: true,
    open: dripping(`${CLOSING}\r\n`, 'x'),
  },
  {
    id: 'R15',
    what: 'does not read 20 MB',
    outcome: 'send_timeout',
    atDeadline: true,
    bodyBytes: 20_000_000,
    open: serving((socket) => socket.pause()),
  },
  {
    id: 'R16',
    what: 'sends early hints without end',
    outcome: 'header_timeout',
    open: saying(HINT.repeat(300)),
    inspect: ({ outcome }) =>
      outcome.kind === 'unanswered' && outcome.message.includes('more than 32 interim')
        ? undefined
        : JSON.stringify(outcome),
  },
  {
    id: 'R16',
    what: 'drips early hints',
    outcome: 'header_timeout',
    atDeadline: true,
    open: dripping('', HINT),
  },
  { id: 'R16', what: 'sends an early hint first', outcome: '200', open: saying(HINT + OK) },
  { id: 'R17', what: 'says 100 Continue, unasked', outcome: '200', open: saying(CONTINUE + OK) },
  {
    id: 'R17',
    what: 'says 100 Continue with a header, an early hint, and 100 Continue again',
    outcome: '200',
    open: saying(`HTTP/1.1 100 Continue\r\nA: HTTP/1.1 100\r\n\r\n${HINT}${CONTINUE}${OK}`),
  },
  {
    id: 'R17',
    what: 'says 100 Continue 300 times',
    outcome: 'header_timeout',
    open: saying(CONTINUE.repeat(300)),
  },
  {
    id: 'R17',
    what: 'drips 100 Continue and no answer',
    outcome: 'header_timeout',
    atDeadline: true,
    open: dripping('', CONTINUE),
  },
  {
    id: 'R17',
    what: 'says 100 Continue and closes',
    outcome: 'closed_without_response',
    open: closingAfter(CONTINUE),
  },
  {
    id: 'R17',
    what: 'answers before there is a request',
    outcome: 'protocol_error',
    open: (stage) =>
      stage.serve((socket) => socket.write(OK), { ...stage.certificate, maxVersion: 'TLSv1.2' }),
  },
  {
    id: 'R17',
    what: 'answers before there is a request, and closes',
    outcome: 'protocol_error',
    open: (stage) => stage.serve((socket) => socket.end(OK), { ...stage.certificate, maxVersion: 'TLSv1.2' }),
  },
  {
    id: 'R18',
    what: 'switches protocols',
    outcome: 'unexpected_upgrade',
    open: saying('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  },
  {
    id: 'R18',
    what: 'answers 101 and no more',
    outcome: 'unexpected_upgrade',
    open: saying('HTTP/1.1 101 X\r\n\r\n'),
  },
  {
    id: 'R38',
    what: 'closes each connection after its answer',
    outcome: '200',
    afterSuccess: true,
    open: async (stage) => ({
      ...(await stage.serve(onRequest((each) => each.end(CLOSED)))),
      connections: 2,
    }),
  },
  ...['end', 'reset'].map((how) => ({
    id: 'R38' as const,
    what: `ends its kept connection at the next POST (${how})`,
    outcome: '200 connection_retried',
    afterSuccess: true as const,
    open: async (stage: Stage) => ({
      ...(await stage.serve(
        onRequest((socket, { number, reset }) =>
          number === 1 ? socket.write(OK) : how === 'end' ? socket.end() : reset(),
        ),
      )),
      connections: 2,
    }),
  })),
]

function cutOff(id: FaultRow['id'], where: string, bytes: string): readonly FaultRow[] {
  const outcome = '200 response_incomplete'
  return [
    { id, what: `closes in ${where}`, outcome, open: closingAfter(bytes) },
    { id, what: `resets in ${where}`, outcome, open: resettingAfter(bytes) },
  ]
}
