import type { Answered } from '../../engine/core/ports.ts'

export interface ReceivedResponse {
  /** Undefined until the status line has arrived. */
  head: Pick<Answered, 'status' | 'headers'> | undefined
  readonly chunks: Uint8Array[]
  size: number
}

const MAX_BODY_BYTES = 65_536
const MAX_HEADERS = 100
const MAX_HEADER_CHARACTERS = 16_384

const EMPTY = new Uint8Array(0)

/** Stores a chunk of the body, up to the limit. Returns false if the chunk exceeds the limit. */
export function keepChunk(answer: ReceivedResponse, chunk: Uint8Array): boolean {
  const kept = chunk.subarray(0, MAX_BODY_BYTES - answer.size)
  answer.chunks.push(kept)
  answer.size += kept.length
  return kept.length === chunk.length
}

export function toAnswered({ head, chunks }: ReceivedResponse): Answered | undefined {
  const body = chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? EMPTY)
  return head && { kind: 'answered', status: head.status, headers: head.headers, body }
}

/** Converts headers from undici's format, which alternates names and values. Decodes bytes as Latin-1, so that none is lost. */
export function readHeaders(raw: readonly (Buffer | string)[]): Answered['headers'] {
  const headers: [string, string][] = []
  let room = MAX_HEADER_CHARACTERS
  for (let index = 0; index + 1 < raw.length && headers.length < MAX_HEADERS; index += 2) {
    const name = raw[index]?.toString('latin1') ?? ''
    const value = raw[index + 1]?.toString('latin1') ?? ''
    room -= name.length + value.length
    if (room < 0) break
    headers.push([name, value])
  }
  return headers
}
