import { testMessage } from '../spec/notifications.ts'
import type { ControlActs, ControlContext } from './control/operation.ts'
import { post } from './delivery/attempt.ts'
import { signed } from './delivery/signing.ts'
import { fromDocumentedAddress } from './delivery/source-addresses.ts'
import type { AccessTokens } from './http/access-tokens.ts'
import type { Motion } from './motion.ts'
import type { Exchange, Ports } from './ports.ts'
import { settle } from './settle.ts'
import type { Holds } from './faults/holds.ts'
import type { Store } from './state/store.ts'
import type { World } from './world.ts'

export interface ActsPorts extends Pick<Ports, 'clock' | 'realTime' | 'transport'> {
  readonly store: Store
  readonly context: ControlContext
  readonly accessTokens: AccessTokens
  readonly holds: Holds
  readonly motion: () => Motion
  readonly world: World
  readonly advance: (to: number) => Promise<number>
}

/** What operations may have done. */
export function createActs(ports: ActsPorts): ControlActs {
  const { clock, store, context, accessTokens, motion, world, advance } = ports
  const { readings } = context

  return {
    get world() {
      return world.number
    },
    testPost: (url, generation) => testPost(url, generation, ports),
    issueToken: () => accessTokens.issue(readings['access-token-lifetime']),
    advance,
    async setSpeed(speed) {
      clock.setSpeed(speed)
      await store.commit([{ head: { kind: 'clock', at: clock.now(), speed }, body: '' }])
    },
    settle: (timeoutMs) => settle(timeoutMs, ports),
    resend: (job) => motion().dispatcher.resend(job),
    async deliver(message, times) {
      const exchanges: Exchange[] = []
      while (exchanges.length < times)
        exchanges.push(await ports.transport.post(message, readings['delivery-deadline']))
      return exchanges
    },
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
