import { limitPosts } from '../adapters/transport/descriptor-limit.ts'
import type { Transport } from '../engine/core/ports.ts'
import type { WorldTurns } from './world-turns.ts'

export interface WorldTransportsPorts {
  readonly transport: Transport
  readonly turns: WorldTurns
  /** How many posts may be under way, of all worlds together. */
  readonly mostPosts: number
  /** Whether there is one world only: then that has all. */
  readonly isAlone: () => boolean
}

/** What one world may have of all posts, so that some are left for the others. */
const SHARE = 3 / 4

/** The parts of one transport that worlds have: they take turns, and none has all posts. */
export function createWorldTransports({ transport, turns, mostPosts, isAlone }: WorldTransportsPorts) {
  const most = Math.max(1, Math.floor(mostPosts * SHARE))
  return (world: string): Transport => {
    const limited = limitPosts(transport, most)
    return {
      post(message, deadlineMs) {
        if (isAlone()) return transport.post(message, deadlineMs)
        const turn = turns.take(world)
        return turn ? turn.then(() => limited.post(message, deadlineMs)) : limited.post(message, deadlineMs)
      },
    }
  }
}
