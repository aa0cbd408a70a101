/** One block of a stream of server-sent events. */
export interface ServerSentEvent {
  /** The last id in the stream so far; empty if none. */
  readonly lastId: string
  readonly type: string
  /** Null for a block that has only an id. */
  readonly data: string | null
}

/**
 * Reads a stream of server-sent events, however it is cut into chunks. A block that the end of the stream cuts off is not
 * yielded. Source: WHATWG HTML, "Server-sent events"
 */
export async function* readEventStream(
  chunks: AsyncIterable<Uint8Array>,
  lastId = '',
): AsyncGenerator<ServerSentEvent> {
  const take = createBlockReader(lastId)
  for await (const line of splitLines(chunks)) {
    const event = take(line)
    if (event) yield event
  }
}

/** Whole lines only; a line ends with LF, CR, or both in one. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // It takes a byte order mark away, and keeps a character whose bytes are in two chunks.
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let afterReturn = false
  for await (const chunk of chunks) {
    const decoded = decoder.decode(chunk, { stream: true })
    if (decoded === '') continue
    const text = afterReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded
    afterReturn = decoded.endsWith('\r')
    const [first = '', ...rest] = text.split(/\r\n|\r|\n/)
    pieces.push(first)
    for (const line of rest) {
      yield pieces.join('')
      pieces.length = 0
      pieces.push(line)
    }
  }
}

/** Takes line after line, and gives the block that a line ends, if it ends one. */
function createBlockReader(given: string): (line: string) => ServerSentEvent | undefined {
  let [lastId, id, type] = [given, given, '']
  let data: string[] = []

  function endBlock(): ServerSentEvent | undefined {
    const hasContent = data.length > 0 || id !== lastId
    const event = { lastId: id, type: type || 'message', data: data.length === 0 ? null : data.join('\n') }
    lastId = id
    type = ''
    data = []
    return hasContent ? event : undefined
  }

  return (line) => {
    if (line === '') return endBlock()
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') data.push(value)
    else if (name === 'event') type = value
    else if (name === 'id' && !value.includes('\0')) id = value
    // A comment has an empty name; `retry` is for browsers, and unknown fields are ignored.
    return undefined
  }
}
