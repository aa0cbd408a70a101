import { testMessage } from '../../spec/notifications.ts'
import type { ControlActs, ControlContext } from '../api/control/operation.ts'
import { post } from '../engine/delivery/attempt.ts'
import { signed } from '../engine/delivery/signing.ts'
import { fromDocumentedAddress } from '../engine/delivery/source-addresses.ts'
import type { AccessTokens } from '../api/http/access-tokens.ts'
import type { Motion } from './scheduler.ts'
import type { Posts } from '../engine/core/in-flight-counter.ts'
import type { Exchange, Ports } from '../engine/core/ports.ts'
import { settle } from './settle.ts'
import type { Holds } from '../engine/faults/holds.ts'
import type { Store } from '../engine/state/store.ts'
import type { World } from './world.ts'
import type { Write } from '../engine/state/write.ts'

export interface ActsPorts extends Pick<Ports, 'clock' | 'realTime' | 'transport'> {
  readonly store: Store
  readonly context: ControlContext
  readonly commit: (writes: readonly Write[]) => Promise<void>
  readonly accessTokens: AccessTokens
  readonly holds: Holds
  readonly motion: () => Motion
  readonly world: World
  readonly advance: (to: number) => Promise<number>
  /** Throws if an advance is under way. */
  readonly refuseWhileAdvancing: (what: string) => void
  readonly posts: Posts
}

/** What operations may have done. */
export function createActs(ports: ActsPorts): ControlActs {
  const { clock, store, context, commit, accessTokens, motion, world, advance, posts, refuseWhileAdvancing } =
    ports
  const { readings } = context

  return {
    get world() {
      return world.number
    },
    testPost: (url, generation) => posts.during(() => testPost(url, generation, ports)),
    issueToken: () => accessTokens.issue(readings['access-token-lifetime']),
    advance,
    async setSpeed(speed) {
      refuseWhileAdvancing('set the clock')
      clock.setSpeed(speed)
      await store.commit([{ head: { kind: 'clock', at: clock.now(), speed }, body: '' }])
    },
    async play({ id }, writes) {
      await commit(writes)
      const isDue = () => (store.payment(id)?.next_due_at ?? Number.POSITIVE_INFINITY) <= clock.now()
      for (const { number } = world; isDue() && world.number === number;) await motion().player.idle()
    },
    settle: (timeoutMs) => settle(timeoutMs, ports),
    resend: (job) => motion().dispatcher.resend(job),
    deliver: (message, times) =>
      posts.during(async () => {
        const { number } = world
        const exchanges: Exchange[] = []
        while (exchanges.length < times && world.number === number)
          exchanges.push(await ports.transport.post(message, readings['delivery-deadline']))
        return exchanges
      }),
    snapshot: () => Promise.resolve(world.snapshot()),
    async restore(snapshot) {
      world.restore(snapshot)
    },
    async reset() {
      world.reset()
    },
  }
}

function testPost(
  url: string,
  generation: Parameters<ControlActs['testPost']>[1],
  { context, realTime, transport }: ActsPorts,
): Promise<Exchange> {
  const { readings, source, view } = context
  const message = post(url, JSON.stringify(testMessage(readings['test-text'])))
  const sent = fromDocumentedAddress(
    signed(message, generation, { view, readings, realTime }),
    { generation, turn: 0 },
    { source, readings },
  )
  return transport.post(sent, readings['delivery-deadline'])
}
