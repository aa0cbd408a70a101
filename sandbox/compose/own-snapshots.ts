import { WORLD_HEADER } from '../api/http/world-keys.ts'
import type { HttpRequest, HttpResponse, RequestHandler } from '../engine/core/http.ts'

/** Snapshots of the sandbox in this process, as its bench gives and takes them: piece by piece, however large they are. */
export interface OwnSnapshots {
  /** Throws what the bench answers in place of one. */
  read(): AsyncIterable<Uint8Array>
  /** All of it or, if it throws what it is refused for, nothing. */
  putBack(pieces: AsyncIterable<Uint8Array>): Promise<void>
}

/** `world` is the name of the one that is meant, where the bench has several. */
export function createOwnSnapshots(bench: RequestHandler, benchToken: string, world?: string): OwnSnapshots {
  const headers = new Map([
    ...(world === undefined ? [] : [[WORLD_HEADER, world] as const]),
    ['authorization', `Bearer ${benchToken}`],
    ['content-type', 'application/json'],
  ])

  async function call(method: 'GET' | 'PUT', pieces: () => AsyncIterable<Uint8Array>): Promise<HttpResponse> {
    const request: HttpRequest = {
      method,
      path: '/control/snapshot',
      query: '',
      header: (name) => headers.get(name),
      headers: () => [...headers],
      readBody: () => Promise.resolve(),
      bodyPieces: pieces,
      signal: () => new AbortController().signal,
    }
    const response = await bench(request)
    if (response.status === 200) return response
    throw new Error(formatRefusal(response))
  }

  return {
    async *read() {
      const { body } = await call('GET', noPieces)
      if (typeof body === 'object' && body) yield* body
    },
    async putBack(pieces) {
      await call('PUT', () => pieces)
    },
  }
}

async function* noPieces(): AsyncGenerator<Uint8Array> {}

function formatRefusal({ status, body }: HttpResponse): string {
  const { error }: { readonly error?: { readonly message?: string } } =
    typeof body === 'string' ? JSON.parse(body) : {}
  return error?.message ?? `The bench answered ${status}`
}
