import { NobodyThereError, type PassOn } from '../../adapters/pass-on.ts'
import type { NodeList } from '../../adapters/postgres/node-list.ts'
import type { HttpRequest, HttpResponse } from '../../engine/core/http.ts'
import type { RealTime } from '../../engine/core/ports.ts'
import { isSameSecret } from '../../engine/core/same-secret.ts'
import { StorageError } from '../../engine/state/log.ts'
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

export function createNodeRouter(ports: NodeRouterPorts): NodeRouter {
  const { registry, realTime, nodeSecret } = ports
  const nodeById = new Map<string, { readonly node: string; readonly until: number }>()
  const { calls, send } = createSending(ports)

  function findBelieved({ id }: WorldRecord): string | undefined {
    const believed = nodeById.get(id)
    if (registry.isOpen(id) || (believed && believed.until < realTime.elapsed())) nodeById.delete(id)
    return nodeById.get(id)?.node
  }

  /** Undefined if it did nothing: it is not there, and nothing of the call was read, or it has the world no more and was only to show something. */
  async function serveThere(
    world: WorldRecord,
    node: string,
    call: DoorCall,
  ): Promise<HttpResponse | undefined> {
    const cut = new AbortController()
    const response = await send({ world: world.id, node, cut }, call)
    // It may be that it has the world no more.
    if (!response || response.status === null || response.status === 503) nodeById.delete(world.id)
    if (cut.signal.aborted && response?.status === null && call.request.method === 'GET') return undefined
    return response && withOwnAddress({ ...call, response, node }, ports)
  }

  return {
    isOpen: registry.isOpen,
    get passesOn() {
      return calls.size > 0
    },
    cutLeft(owners) {
      for (const { world, node, cut } of calls) {
        const owner = owners.get(world)
        if (owner !== undefined && owner !== node) cut.abort()
      }
    },
    async serve(world, door, request) {
      const call = { door, request }
      const isPassedOn = isSameSecret(request.header(PASSED_ON_HEADER) ?? '', nodeSecret)
      const believed = isPassedOn ? undefined : findBelieved(world)
      const answer = believed === undefined ? undefined : await serveThere(world, believed, call)
      if (answer) return answer
      const found = await serveHere(world, call, registry)
      if (typeof found !== 'string')
        return withOwnAddress({ ...call, response: found, node: ports.node }, ports)
      const moving = () => answerMoving(door, request, world.name)
      if (isPassedOn) return moving()
      nodeById.set(world.id, { node: found, until: realTime.elapsed() + BELIEVED_MS })
      return (await serveThere(world, found, call)) ?? moving()
    },
  }
}

/** The answer, or the name of the node that has the world. */
async function serveHere(
  world: WorldRecord,
  { door, request }: DoorCall,
  registry: Pick<WorldRegistry, 'serve'>,
): Promise<HttpResponse | string> {
  try {
    return await registry.serve(world, door, request)
  } catch (error) {
    if (error instanceof WorldElsewhereError) return error.node
    if (!(error instanceof StorageError)) throw error
    return answerProblem(door, request, error)
  }
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
