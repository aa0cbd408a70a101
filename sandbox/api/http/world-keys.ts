import { OPERATIONS } from '../../../spec/generated/service-operations.ts'
import type { RequestBody } from '../../../spec/rows.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import type { HttpRequest } from '../../engine/core/http.ts'
import type { WorldKey } from '../../engine/state/world-record.ts'
import { readWorldClaim } from './access-tokens.ts'
import { decodeUser, parseAuthorization } from './authenticate.ts'
import { checkBodyHeaders, parseForm, readBody, type Fields } from './read-body.ts'
import { createRouter } from './router.ts'

/** An unverified credential or id in a call that shows which world the call is for. */
export interface NamedKey {
  readonly key: WorldKey
  readonly value: string
  readonly secret?: string | undefined
}

export interface ServiceCall {
  readonly request: HttpRequest
  readonly named: NamedKey | undefined
}

export const WORLD_HEADER = 'hookbench-world'

const { path: TOKENS, method, body } = OPERATIONS.createToken
const takenBody: RequestBody = body
const tokens = createRouter([TOKENS])

export function readServiceCall(
  request: HttpRequest,
  { inward }: Pick<Translator, 'inward'>,
): ServiceCall | Promise<ServiceCall> {
  const isTokenCall = request.method === method && tokens.find(request.path, () => true) !== undefined
  return isTokenCall ? readTokenCall(request, inward) : { request, named: readAuthorization(request) }
}

async function readTokenCall(request: HttpRequest, inward: Translator['inward']): Promise<ServiceCall> {
  let kept = request
  try {
    kept = await withBufferedBody(request, checkBodyHeaders(request, takenBody).limit)
    const parameters: Fields = request.query === '' ? {} : parseForm(request.query)
    const { client_id: value, client_secret: secret } = inward({
      ...parameters,
      ...(await readBody(kept, takenBody)),
    })
    const proof = typeof secret === 'string' ? secret : undefined
    if (typeof value === 'string') return { request: kept, named: { key: 'clientId', value, secret: proof } }
  } catch {
    // Ignores the error, because the world responds with the same error later.
  }
  return { request: kept, named: undefined }
}

function readAuthorization({ header }: HttpRequest): NamedKey | undefined {
  const { scheme, value } = parseAuthorization(header('authorization') ?? '')
  if (value === '') return undefined
  if (scheme === 'basic') return { key: 'user', value: decodeUser(value) }
  const world = scheme === 'bearer' ? readWorldClaim(value) : undefined
  return world === undefined ? undefined : { key: 'id', value: world }
}

export function readBearerToken({ header }: HttpRequest): string {
  const { scheme, value } = parseAuthorization(header('authorization') ?? '')
  return scheme === 'bearer' ? value : ''
}

async function withBufferedBody(request: HttpRequest, limit: number): Promise<HttpRequest> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  let failure: { readonly error: unknown } | undefined
  await request
    .readBody((piece) => {
      pieces.push(piece)
      bytes += piece.byteLength
      // Stores the chunk before the check, so that the next reader of the body also rejects the body.
      if (bytes > limit) throw new RangeError(`Cannot keep a body of ${bytes} bytes: the maximum is ${limit}`)
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
