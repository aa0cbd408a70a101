/** Splits UTF-8 text into lines. Throws SyntaxError for invalid UTF-8, or for a line that exceeds the limit. */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  mostCharacters: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let line: string[] = []
  let size = 0
  for await (const piece of pieces) {
    const [first = '', ...others] = decode(decoder, piece).split('\n')
    line.push(first)
    size += first.length
    if (size > mostCharacters) throw new SyntaxError(`A line has more than ${mostCharacters} characters`)
    for (const next of others) {
      yield line.join('')
      line = [next]
      size = next.length
    }
  }
  const last = line.join('') + decode(decoder)
  if (last !== '') yield last
}

function decode(decoder: TextDecoder, piece?: Uint8Array): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined })
  } catch (cause) {
    throw new SyntaxError('The text is not UTF-8', { cause })
  }
}
