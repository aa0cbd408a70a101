import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createContinueAnswers } from '../../../../sandbox/adapters/transport/continue-answers.ts'

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const SKIPPED = 'HTTP/1.1 103 Continue\r\n\r\n'
const OK = 'HTTP/1.1 200 OK\r\nA: HTTP/1.1 100\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'

function read(received: string, pieceLength: number): string {
  const answers = createContinueAnswers()
  const socket = new Socket()
  answers.watch(socket)
  answers.begin()
  for (let at = 0; at < received.length; at += pieceLength)
    socket.push(Buffer.from(received.slice(at, at + pieceLength)))
  let text = ''
  for (let piece = socket.read(); piece !== null; piece = socket.read()) text += String(piece)
  return text
}

test.each([1, 2, 7, 1_000])('100 Continue responses in chunks of %i bytes are replaced', (length) => {
  const early = 'HTTP/1.1 102 Processing\r\nA: b\r\n\r\n'

  expect(read(CONTINUE + early + CONTINUE + OK, length)).toBe(SKIPPED + early + SKIPPED + OK)
})

test('createContinueAnswers() changes nothing when no request is in flight', () => {
  const answers = createContinueAnswers()
  const socket = new Socket()
  answers.watch(socket)
  socket.push(Buffer.from(CONTINUE))

  expect(String(socket.read())).toBe(CONTINUE)
})
