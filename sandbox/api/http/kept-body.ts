import type { HttpRequest } from '../../engine/core/http.ts'

/**
 * The same request with its body read, as far as it may go: whoever reads it from here gets the same pieces, and what it ended
 * with. It is held once.
 */
export async function withKeptBody(request: HttpRequest, limit: number): Promise<HttpRequest> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  let failure: { readonly error: unknown } | undefined
  await request
    .readBody((piece) => {
      pieces.push(piece)
      bytes += piece.byteLength
      // Who reads it refuses it at this piece, and needs no more.
      if (bytes > limit) throw new RangeError(`Cannot keep a body of ${bytes} bytes: the most is ${limit}`)
    })
    .catch((error: unknown) => {
      failure = { error }
    })
  return {
    ...request,
    async readBody(take) {
      for (const piece of pieces) take(piece)
      if (failure) throw failure.error
    },
    async *bodyPieces() {
      yield* pieces
      if (failure) throw failure.error
    },
  }
}
