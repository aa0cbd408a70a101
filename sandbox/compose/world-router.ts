import { WORLD_HEADER, readBearerToken, readServiceCall, type NamedKey } from '../api/http/world-keys.ts'
import { errorReply } from '../api/http/error-bodies.ts'
import { ApiError } from '../engine/core/api-error.ts'
import {
  jsonResponse,
  type HttpRequest,
  type HttpResponse,
  type RequestHandler,
} from '../engine/core/http.ts'
import { isSameSecret } from '../engine/core/secret-strength.ts'
import { StorageError } from '../engine/state/storage-error.ts'
import { DEFAULT_WORLD, WorldGoneError, type WorldRecord } from '../engine/state/world-record.ts'
import type { WorldDirectory } from '../engine/state/world-directory.ts'
import type { Translator } from '../../spec/vocabulary.ts'
import { otherWorldError, unknownWorldError } from './world-administration.ts'
import type { ListenerName } from './serve-options.ts'
import type { WorldRegistry } from './world-registry.ts'
import type { FairScheduler } from './world-sharing.ts'

interface WorldRouterParts {
  readonly directory: Pick<WorldDirectory, 'isEmpty' | 'list'>
  readonly registry: Pick<WorldRegistry, 'find' | 'isOpen' | 'serve'>
  /** The request handlers of the default world, also used for calls that name no world. */
  readonly fallback: { readonly [Name in ListenerName]: RequestHandler }
  readonly turns: FairScheduler
  readonly rootToken: string
  readonly translator: Pick<Translator, 'inward'>
  readonly onError: (where: string, error: unknown) => void
}

export function createWorldRouter(parts: WorldRouterParts): {
  readonly [Name in ListenerName]: RequestHandler
} {
  const { directory, registry, fallback, translator } = parts

  async function serveService(given: HttpRequest): Promise<HttpResponse> {
    const { request, named } = await readServiceCall(given, translator)
    const world = named && registry.find(named.key, named.value)
    const opened = world && mayOpen(world, named, parts) ? world : undefined
    return serveIn(opened, { door: 'service', request }, parts)
  }

  return {
    service(request) {
      if (!directory.isEmpty) return serveService(request)
      // Reads need no turn, because they do not wait for the disk.
      return request.method === 'GET'
        ? fallback.service(request)
        : serveIn(undefined, { door: 'service', request }, parts)
    },
    bench: (request) =>
      directory.isEmpty && request.header(WORLD_HEADER) === undefined
        ? fallback.bench(request)
        : serveBench(request, parts),
  }
}

/** The paths of operations about worlds. With the root token, these operations cover all worlds, even if the call names a world. */
const ABOUT_WORLDS = /^\/control\/worlds(\/|$)/

async function serveBench(request: HttpRequest, parts: WorldRouterParts): Promise<HttpResponse> {
  const { directory, registry, rootToken } = parts
  const call = { door: 'bench', request } as const
  const named = ABOUT_WORLDS.test(request.path) ? undefined : request.header(WORLD_HEADER)
  const token = readBearerToken(request)
  const owner = token === '' ? undefined : registry.find('controlToken', token)
  if (owner)
    return named === undefined || named === owner.name
      ? serveIn(owner, call, parts)
      : toResponse(otherWorldError(owner))
  // Only holders of the root token may learn which worlds exist.
  if (named === undefined || named === DEFAULT_WORLD || !isSameSecret(token, rootToken))
    return serveIn(undefined, call, parts)
  const world = registry.find('name', named)
  return world ? serveIn(world, call, parts) : toResponse(unknownWorldError(named, directory))
}

/** True if the call may open the world. A client id without the right secret cannot open a closed world. */
function mayOpen(
  { id, credentials }: WorldRecord,
  { key, secret = '' }: NamedKey,
  { registry }: WorldRouterParts,
): boolean {
  return key !== 'clientId' || registry.isOpen(id) || isSameSecret(secret, credentials.client_secret)
}

interface RoutedCall {
  readonly door: ListenerName
  readonly request: HttpRequest
}

async function serveIn(
  world: WorldRecord | undefined,
  { door, request }: RoutedCall,
  parts: WorldRouterParts,
): Promise<HttpResponse> {
  const { registry, turns, fallback, onError } = parts
  const turn = turns.take(world?.id ?? DEFAULT_WORLD)
  if (turn) await turn
  if (!world) return fallback[door](request)
  try {
    return await registry.serve(world, door, request)
  } catch (error) {
    if (error instanceof WorldGoneError) return answerGone(world, { door, request }, parts)
    onError(`world "${world.name}"`, error)
    const message = error instanceof StorageError ? error.message : 'see the log of the sandbox'
    return toResponse(new ApiError('storage-gone', `Cannot open world "${world.name}": ${message}`))
  }
}

/** Answers a call for a removed world. A call with the root token gets an error, not an answer from the default world. */
async function answerGone(
  { name }: WorldRecord,
  { door, request }: RoutedCall,
  { fallback, rootToken, directory }: WorldRouterParts,
): Promise<HttpResponse> {
  const isForAll = door === 'bench' && isSameSecret(readBearerToken(request), rootToken)
  return isForAll ? toResponse(unknownWorldError(name, directory)) : fallback[door](request)
}

function toResponse(error: ApiError): HttpResponse {
  const { status, body } = errorReply(error, 'control')
  return jsonResponse(status, JSON.stringify(body))
}
