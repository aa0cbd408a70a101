import type { Answered } from '../../engine/core/ports.ts'

/** The kept part of an answer. */
export interface Answer {
  /** Undefined before a status line. */
  head: Pick<Answered, 'status' | 'headers'> | undefined
  readonly chunks: Uint8Array[]
  size: number
}

const MAX_BODY_BYTES = 65_536
const MAX_HEADERS = 100
const MAX_HEADER_CHARACTERS = 16_384

const EMPTY = new Uint8Array(0)

/** Keeps a piece of the body. Returns false if it does not fit. */
export function keepChunk(answer: Answer, chunk: Uint8Array): boolean {
  const kept = chunk.subarray(0, MAX_BODY_BYTES - answer.size)
  answer.chunks.push(kept)
  answer.size += kept.length
  return kept.length === chunk.length
}

/** Returns undefined without a status line. */
export function toAnswered({ head, chunks }: Answer): Answered | undefined {
  const body = chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? EMPTY)
  return head && { kind: 'answered', status: head.status, headers: head.headers, body }
}

/** Reads alternating names and values, as undici gives them. Latin-1 keeps every byte. */
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
