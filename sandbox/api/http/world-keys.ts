import { OPERATIONS } from '../../../spec/generated/service-operations.ts'
import type { RequestBody } from '../../../spec/rows.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import type { HttpRequest } from '../../engine/core/http.ts'
import type { WorldKey } from '../../engine/state/world-record.ts'
import { readWorldClaim } from './access-tokens.ts'
import { decodeUser, parseAuthorization } from './authenticate.ts'
import { checkBodyHeaders, parseForm, readBody, type Fields } from './read-body.ts'
import { createRouter } from './router.ts'

/** What of a call names the world that it is for, if anything does; whether that is genuine is for the world to say. */
export interface NamedKey {
  readonly key: WorldKey
  readonly value: string
  /** What has to prove it, where that comes with it. */
  readonly secret?: string | undefined
}

/** A call of the service API whose world is to be found; its body may have been read. */
export interface ServiceCall {
  readonly request: HttpRequest
  readonly named: NamedKey | undefined
}

/** The world's name, as calls of the bench have it. */
export const WORLD_HEADER = 'hookbench-world'

const { path: TOKENS, method, body } = OPERATIONS.createToken
const takenBody: RequestBody = body
const tokens = createRouter(new Map([[TOKENS, method]]))

/** Credentials name the world: the client id of a call for a token, and what every other call authenticates with. */
export function readServiceCall(
  request: HttpRequest,
  { inward }: Pick<Translator, 'inward'>,
): ServiceCall | Promise<ServiceCall> {
  const isTokenCall = request.method === method && tokens.find(request.path, () => true) !== undefined
  return isTokenCall ? readTokenCall(request, inward) : { request, named: readAuthorization(request) }
}

async function readTokenCall(request: HttpRequest, inward: Translator['inward']): Promise<ServiceCall> {
  const limit = findLimit(request)
  if (limit === undefined) return { request, named: undefined }
  const kept = await withKeptBody(request, limit)
  return { request: kept, named: await readClient(kept, inward) }
}

/** The most bytes that are read of its body; undefined if its headers are such that none is. */
function findLimit(request: HttpRequest): number | undefined {
  try {
    return checkBodyHeaders(request, takenBody).limit
  } catch {
    return undefined
  }
}

/** Undefined for what is refused in any world. */
async function readClient(request: HttpRequest, inward: Translator['inward']): Promise<NamedKey | undefined> {
  try {
    const parameters: Fields = request.query === '' ? {} : parseForm(request.query)
    const { client_id: value, client_secret: secret } = inward({
      ...parameters,
      ...(await readBody(request, takenBody)),
    })
    if (typeof value !== 'string') return undefined
    return { key: 'clientId', value, secret: typeof secret === 'string' ? secret : undefined }
  } catch {
    return undefined
  }
}

function readAuthorization({ header }: HttpRequest): NamedKey | undefined {
  const { scheme, value } = parseAuthorization(header('authorization') ?? '')
  if (value === '') return undefined
  if (scheme === 'basic') return { key: 'user', value: decodeUser(value) }
  const world = scheme === 'bearer' ? readWorldClaim(value) : undefined
  return world === undefined ? undefined : { key: 'id', value: world }
}

/** The token that a call of the bench sends; empty if it sends none. */
export function readBenchToken({ header }: HttpRequest): string {
  const { scheme, value } = parseAuthorization(header('authorization') ?? '')
  return scheme === 'bearer' ? value : ''
}

/**
 * The same request with its body read, as far as it may go: whoever reads it from here gets the same pieces, and what it ended
 * with. It is held once.
 */
async function withKeptBody(request: HttpRequest, limit: number): Promise<HttpRequest> {
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
