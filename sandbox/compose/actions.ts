import { testMessage } from '../../spec/notifications.ts'
import type { ControlActions } from '../api/control/operation.ts'
import type { AccessTokens } from '../api/http/access-tokens.ts'
import type { Exchange, Message, Ports } from '../engine/core/ports.ts'
import { serviceMessage } from '../engine/delivery/message.ts'
import type { Store } from '../engine/state/store.ts'
import type { Advance } from './advance.ts'
import type { Scheduler } from './scheduler.ts'
import type { Wiring } from './wiring.ts'
import type { World } from './world.ts'

interface ActionParts {
  readonly accessTokens: AccessTokens
  readonly scheduler: Scheduler
  readonly advance: Advance
  readonly world: World
}

export function createActions(ports: Ports, wiring: Wiring, parts: ActionParts): ControlActions {
  const { clock, realTime } = ports
  const { store, context, commit } = wiring
  const { accessTokens, scheduler, advance, world } = parts
  const { readings } = context
  const post = (message: Message) => ports.transport.post(message, readings()['delivery-deadline'])
  const refuseUnrecordable = () => refuseWhileProblem(store)

  return {
    get epoch() {
      return world.epoch
    },
    async testPost(url, generation) {
      refuseUnrecordable()
      const body = JSON.stringify(testMessage(readings()['test-text']))
      const message = serviceMessage({ url, body, generation, turn: 0 }, { ...context, realTime })
      return scheduler.duringPost(() => post(message))
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
      // Waits for each step. A step that cannot start now is skipped, because the payment continues by
      // itself.
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
        while (exchanges.length < times && world.epoch === epoch) exchanges.push(await post(message))
        return exchanges
      })
    },
    snapshot: () => Promise.resolve(world.snapshot()),
    snapshotLines: world.snapshotLines,
    restore: world.restore,
    beginRestore: world.beginRestore,
    reset: world.reset,
  }
}

/** A change that cannot be recorded is not sent. */
function refuseWhileProblem({ problem }: Store): void {
  if (problem) throw problem
}
