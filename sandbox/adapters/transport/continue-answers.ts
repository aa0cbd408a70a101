import type { Socket } from 'node:net'

export interface ContinueAnswers {
  /** Prepares for the next response. Call this function whenever a request is sent. */
  begin(): void
  watch(socket: Socket): void
}

const FIRST_DIGIT = 'HTTP/1.1 '.length
const END_OF_HEAD = '\r\n\r\n'

/** Rewrites 100 to 103, because undici ignores a 103 but disconnects after an unexpected 100. Source: RFC 9110 §15.2 */
export function createContinueAnswers(): ContinueAnswers {
  let isHead = false
  let place = 0
  let status = ''
  let ending = 0

  function nextHead(): void {
    place = 0
    status = ''
    ending = 0
  }

  function rewrite(chunk: Buffer): void {
    for (let at = 0; isHead && at < chunk.length; at++) {
      const character = String.fromCharCode(chunk[at] ?? 0)
      const digit = place++ - FIRST_DIGIT
      if (digit >= 0 && digit < 3) {
        status += character
        if (status === '100') chunk.write('3', at)
        // Only interim statuses (1xx) are rewritten. A 101 response is not rewritten, because undici rejects it.
        isHead = '1'.startsWith(status[0] ?? '') && status !== '101'
      }
      ending = character === END_OF_HEAD[ending] ? ending + 1 : character === '\r' ? 1 : 0
      if (ending === END_OF_HEAD.length) nextHead()
    }
  }

  return {
    begin() {
      isHead = true
      nextHead()
    },
    watch(socket) {
      const push = socket.push.bind(socket)
      socket.push = (chunk: unknown, ...rest) => {
        if (Buffer.isBuffer(chunk)) rewrite(chunk)
        return push(chunk, ...rest)
      }
    },
  }
}
