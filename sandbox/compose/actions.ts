import { testMessage } from '../../spec/notifications.ts'
import type { ControlActions, ControlContext } from '../api/control/operation.ts'
import type { AccessTokens } from '../api/http/access-tokens.ts'
import type { Exchange, Ports } from '../engine/core/ports.ts'
import { serviceMessage } from '../engine/delivery/message.ts'
import type { Store } from '../engine/state/store.ts'
import type { Write } from '../engine/state/write.ts'
import type { Advance } from './advance.ts'
import type { Scheduler } from './scheduler.ts'
import type { World } from './world.ts'

export interface ActionsPorts extends Pick<Ports, 'clock' | 'realTime' | 'transport'> {
  readonly store: Store
  readonly context: ControlContext
  readonly commit: (writes: readonly Write[]) => Promise<void>
  readonly accessTokens: AccessTokens
  readonly scheduler: Scheduler
  readonly advance: Advance
  readonly world: World
}

export function createActions(ports: ActionsPorts): ControlActions {
  const { clock, store, commit, accessTokens, scheduler, advance, world } = ports
  const { readings } = ports.context
  const refuseUnrecordable = () => refuseWhileProblem(store)

  return {
    get epoch() {
      return world.epoch
    },
    async testPost(url, generation) {
      refuseUnrecordable()
      return scheduler.duringPost(() => testPost(url, generation, ports))
    },
    issueToken: () => accessTokens.issue(readings()['access-token-lifetime']),
    advance: advance.to,
    async setSpeed(speed) {
      advance.refuseWhileUnderWay('set the clock')
      refuseUnrecordable()
      clock.setSpeed(speed)
      await store.commit([{ head: { kind: 'clock', at: clock.now(), speed }, body: '' }])
    },
    async play({ id }, writes) {
      await commit(writes)
      // Starts each step after the step before. Does not wait for a step that cannot start now, because the payment
      // continues by itself.
      await scheduler.player.idle((payment) => payment.id === id)
    },
    settle: scheduler.settle,
    async resend(job) {
      refuseUnrecordable()
      await scheduler.dispatcher.resend(job)
    },
    async deliver(message, times) {
      refuseUnrecordable()
      return scheduler.duringPost(async () => {
        const { epoch } = world
        const exchanges: Exchange[] = []
        while (exchanges.length < times && world.epoch === epoch)
          exchanges.push(await ports.transport.post(message, readings()['delivery-deadline']))
        return exchanges
      })
    },
    snapshot: () => Promise.resolve(world.snapshot()),
    snapshotText: world.snapshotText,
    restore: world.restore,
    beginRestore: world.beginRestore,
    reset: world.reset,
  }
}

/** A change that cannot be recorded is not sent. */
function refuseWhileProblem({ problem }: Store): void {
  if (problem) throw problem
}

function testPost(
  url: string,
  generation: Parameters<ControlActions['testPost']>[1],
  { context, realTime, transport }: ActionsPorts,
): Promise<Exchange> {
  const { readings } = context
  const body = JSON.stringify(testMessage(readings()['test-text']))
  const message = serviceMessage({ url, body, generation, turn: 0 }, { ...context, realTime })
  return transport.post(message, readings()['delivery-deadline'])
}
