import { NobodyThereError, type PassOn } from '../../adapters/pass-on.ts'
import type { NodeList } from '../../adapters/postgres/node-list.ts'
import type { HttpRequest, HttpResponse } from '../../engine/core/http.ts'
import type { RealTime } from '../../engine/core/ports.ts'
import { isSameSecret } from '../../engine/core/same-secret.ts'
import { passes, StorageError } from '../../engine/state/log.ts'
import { WorldElsewhereError, type WorldRecord } from '../../engine/state/world-directory.ts'
import { withEnd } from '../body-end.ts'
import type { Door, WorldRegistry } from '../world-registry.ts'
import { answerMoving, answerProblem } from './moving-answers.ts'
import { withOwnAddress } from './own-health.ts'

/** What a node says with each call that it passes on: that the other one is not to pass it on again. */
const PASSED_ON_HEADER = 'hookbench-passed-on'

export interface NodeRouterPorts {
  readonly registry: Pick<WorldRegistry, 'serve' | 'isOpen'>
  readonly nodes: Pick<NodeList, 'find'>
  readonly passOn: Pick<PassOn, 'send'>
  readonly realTime: Pick<RealTime, 'elapsed'>
  /** The name of this node. */
  readonly node: string
  /** What nodes know each other's calls by. */
  readonly nodeSecret: string
  readonly serviceUrl: () => string
}

/** Answers a call here if the world is this node's or nobody's, and passes it on to the node that has it otherwise. */
export interface NodeRouter extends Pick<WorldRegistry, 'serve' | 'isOpen'> {
  /** Whether calls are under way at other nodes. */
  readonly passesOn: boolean
  /** Cuts off calls that are under way at a node which has their world no more: it may never answer them. */
  cutLeft(ownerById: ReadonlyMap<string, string>): void
}

/** How long it is believed which node has a world, before that is asked again. */
const BELIEVED_MS = 1_000
/** Of so many worlds it is known who had them last. */
const MOST_KNOWN = 10_000

export function createNodeRouter(ports: NodeRouterPorts): NodeRouter {
  const { registry, nodeSecret } = ports
  const owners = createBelievedOwners(ports)
  const { calls, send } = createSending(ports)

  /** Undefined if it did nothing: it is not there, and nothing of the call was read, or it has the world no more and was only to show something. */
  async function serveThere(
    world: WorldRecord,
    node: string,
    call: DoorCall,
  ): Promise<HttpResponse | undefined> {
    const cut = new AbortController()
    const response = await send({ world: world.id, node, cut }, call)
    // It may be that it has the world no more.
    if (!response || response.status === null || response.status === 503) owners.doubt(world, node)
    if (cut.signal.aborted && response?.status === null && call.request.method === 'GET') return undefined
    return response && withOwnAddress({ ...call, response, node }, ports)
  }

  return {
    isOpen: registry.isOpen,
    get passesOn() {
      return calls.size > 0
    },
    cutLeft(ownerById) {
      for (const { world, node, cut } of calls) {
        const owner = ownerById.get(world)
        if (owner !== undefined && owner !== node) cut.abort()
      }
    },
    async serve(world, door, request) {
      const call = { door, request }
      const isPassedOn = isSameSecret(request.header(PASSED_ON_HEADER) ?? '', nodeSecret)
      const pass = async (node: string | undefined) =>
        isPassedOn || node === undefined ? undefined : serveThere(world, node, call)
      const answer = await pass(owners.find(world))
      if (answer) return answer
      const found = await serveHere(world, call, registry)
      if (typeof found === 'string') {
        owners.believe(world, found)
        return (await pass(found)) ?? answerMoving(door, request, world.name)
      }
      // Who had the world last may have it still, and shows it while PostgreSQL cannot be asked.
      const shown = found.problem && passes(found.problem) ? await pass(owners.findLast(world)) : undefined
      return shown ?? withOwnAddress({ ...call, response: found.response, node: ports.node }, ports)
    },
  }
}

/** Which nodes have the worlds of others, as far as it is known here. */
function createBelievedOwners({ registry, realTime }: Pick<NodeRouterPorts, 'registry' | 'realTime'>) {
  const ownerById = new Map<string, { readonly node: string; readonly until: number }>()

  function keep({ id }: WorldRecord, node: string, forMs: number): void {
    ownerById.delete(id)
    ownerById.set(id, { node, until: realTime.elapsed() + forMs })
    const [oldest] = ownerById.keys()
    if (oldest !== undefined && ownerById.size > MOST_KNOWN) ownerById.delete(oldest)
  }

  return {
    find({ id }: WorldRecord): string | undefined {
      if (registry.isOpen(id)) ownerById.delete(id)
      const believed = ownerById.get(id)
      return believed && believed.until > realTime.elapsed() ? believed.node : undefined
    },
    /** Who had it when that was asked last; believed again from now on. */
    findLast(world: WorldRecord): string | undefined {
      const last = ownerById.get(world.id)?.node
      if (last !== undefined) keep(world, last, BELIEVED_MS)
      return last
    },
    believe: (world: WorldRecord, node: string) => keep(world, node, BELIEVED_MS),
    /** It is asked anew at the next call. */
    doubt: (world: WorldRecord, node: string) => keep(world, node, 0),
  }
}

/** The answer, and why it cannot be known who has the world, or the world not be opened; or the name of the node that has it. */
async function serveHere(
  world: WorldRecord,
  { door, request }: DoorCall,
  registry: Pick<WorldRegistry, 'serve'>,
): Promise<ServedHere | string> {
  try {
    return { response: await registry.serve(world, door, request) }
  } catch (error) {
    if (error instanceof WorldElsewhereError) return error.node
    if (error instanceof StorageError)
      return { response: answerProblem(door, request, error), problem: error }
    throw error
  }
}

interface ServedHere {
  readonly response: HttpResponse
  readonly problem?: StorageError
}

/** Passes calls on, and knows which are under way. */
function createSending({ nodes, passOn, node: self, nodeSecret }: NodeRouterPorts) {
  const calls = new Set<PassedOn>()

  async function send(call: PassedOn, { door, request }: DoorCall): Promise<HttpResponse | undefined> {
    const there = call.node === self ? undefined : await nodes.find(call.node)
    if (!there) return undefined
    const upstream = {
      url: door === 'service' ? there.serviceUrl : there.benchUrl,
      caPem: there.caPem,
      headers: { [PASSED_ON_HEADER]: nodeSecret },
    }
    const end = () => void calls.delete(call)
    calls.add(call)
    try {
      // Its body is part of it.
      return withEnd(await passOn.send(request, upstream, call.cut.signal), end)
    } catch (error) {
      end()
      if (error instanceof NobodyThereError) return undefined
      throw error
    }
  }

  return { calls, send }
}

/** A call that is under way at another node. */
interface PassedOn {
  readonly world: string
  readonly node: string
  readonly cut: AbortController
}

interface DoorCall {
  readonly door: Door
  readonly request: HttpRequest
}
