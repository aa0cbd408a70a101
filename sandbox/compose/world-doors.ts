import { WORLD_HEADER, readBearerToken, readServiceCall, type NamedKey } from '../api/http/world-keys.ts'
import { errorReply } from '../api/http/error-bodies.ts'
import { ApiError } from '../engine/core/api-error.ts'
import {
  jsonResponse,
  type HttpRequest,
  type HttpResponse,
  type RequestHandler,
} from '../engine/core/http.ts'
import type { RealTime } from '../engine/core/ports.ts'
import { isSameSecret } from '../engine/core/secret-strength.ts'
import { StorageError } from '../engine/state/storage-error.ts'
import { DEFAULT_WORLD, WorldGoneError, type WorldRecord } from '../engine/state/world-record.ts'
import type { WorldDirectory } from '../engine/state/world-directory.ts'
import type { Translator } from '../../spec/vocabulary.ts'
import { otherWorldError, unknownWorldError } from './world-administration.ts'
import type { Door } from './serve-options.ts'
import type { WorldRegistry } from './world-registry.ts'
import type { WorldTurns } from './world-turns.ts'

export interface WorldDoorsPorts {
  readonly directory: Pick<WorldDirectory, 'isEmpty' | 'find' | 'list'>
  readonly registry: Pick<WorldRegistry, 'serve' | 'isOpen'>
  readonly realTime: Pick<RealTime, 'now'>
  /** Answers for the default world, and for calls without a world. */
  readonly fallback: { readonly [Name in Door]: RequestHandler }
  readonly turns: WorldTurns
  readonly rootToken: string
  readonly translator: Pick<Translator, 'inward'>
  readonly onError: (where: string, error: unknown) => void
}

/** Creates each listener's handler, which finds the world of a call. */
export function createWorldDoors(ports: WorldDoorsPorts): { readonly [Name in Door]: RequestHandler } {
  const { directory, fallback, translator } = ports

  async function serveService(given: HttpRequest): Promise<HttpResponse> {
    const { request, named } = await readServiceCall(given, translator)
    const world = named && findWorld(named, ports)
    const opened = world && mayOpen(world, named, ports) ? world : undefined
    return serveIn(opened, { door: 'service', request }, ports)
  }

  return {
    service: (request) => (directory.isEmpty ? fallback.service(request) : serveService(request)),
    bench: (request) =>
      directory.isEmpty && request.header(WORLD_HEADER) === undefined
        ? fallback.bench(request)
        : serveBench(request, ports),
  }
}

/** The root token answers for all worlds, even if the call names one. */
const ABOUT_WORLDS = /^\/control\/worlds(\/|$)/

async function serveBench(request: HttpRequest, ports: WorldDoorsPorts): Promise<HttpResponse> {
  const { rootToken } = ports
  const named = ABOUT_WORLDS.test(request.path) ? undefined : request.header(WORLD_HEADER)
  const token = readBearerToken(request)
  const owner = token === '' ? undefined : findWorld({ key: 'controlToken', value: token }, ports)
  if (owner && (named === undefined || named === owner.name))
    return serveIn(owner, { door: 'bench', request }, ports)
  if (owner) return toResponse(otherWorldError(owner))
  // Only the root token may learn which worlds exist.
  if (named === undefined || named === DEFAULT_WORLD || !isSameSecret(token, rootToken))
    return serveIn(undefined, { door: 'bench', request }, ports)
  const world = findWorld({ key: 'name', value: named }, ports)
  return world
    ? serveIn(world, { door: 'bench', request }, ports)
    : toResponse(unknownWorldError(named, ports.directory))
}

/** Finds a world. An expired world is gone, even during its removal. */
function findWorld(
  { key, value }: NamedKey,
  { directory, realTime }: WorldDoorsPorts,
): WorldRecord | undefined {
  const found = directory.find(key, value)
  const isOver = found?.expiresAt != null && found.expiresAt <= realTime.now()
  return isOver ? undefined : found
}

/** A client id alone does not open a closed world. */
function mayOpen(
  { id, credentials }: WorldRecord,
  { key, secret = '' }: NamedKey,
  { registry }: WorldDoorsPorts,
): boolean {
  return key !== 'clientId' || registry.isOpen(id) || isSameSecret(secret, credentials.client_secret)
}

interface DoorCall {
  readonly door: Door
  readonly request: HttpRequest
}

/** Defaults to the default world. */
async function serveIn(
  world: WorldRecord | undefined,
  { door, request }: DoorCall,
  ports: WorldDoorsPorts,
): Promise<HttpResponse> {
  const { registry, turns, fallback, onError } = ports
  const turn = turns.take(world?.id ?? DEFAULT_WORLD)
  if (turn) await turn
  if (!world) return fallback[door](request)
  try {
    return await registry.serve(world, door, request)
  } catch (error) {
    if (error instanceof WorldGoneError) return answerGone(world, { door, request }, ports)
    onError(`world "${world.name}"`, error)
    const message = error instanceof StorageError ? error.message : 'see the log of the sandbox'
    return toResponse(new ApiError('storage-gone', `Cannot open world "${world.name}": ${message}`))
  }
}

/** The root token also opens the default world, which must not answer for a removed one. */
async function answerGone(
  { name }: WorldRecord,
  { door, request }: DoorCall,
  { fallback, rootToken, directory }: WorldDoorsPorts,
): Promise<HttpResponse> {
  const isForAll = door === 'bench' && isSameSecret(readBearerToken(request), rootToken)
  return isForAll ? toResponse(unknownWorldError(name, directory)) : fallback[door](request)
}

function toResponse(error: ApiError): HttpResponse {
  const { status, body } = errorReply(error, 'control')
  return jsonResponse(status, JSON.stringify(body))
}
