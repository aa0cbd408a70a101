import { timestamp } from '../../engine/core/timestamp.ts'
import { VERSION } from '../../engine/core/version.ts'
import { performFirst, reply, replyAfter } from '../operations/operation.ts'
import { toClock } from './clock.ts'
import type { ControlOperation } from './operation.ts'

export const getHealth: ControlOperation<'getHealth'> = (_, { clock, serviceUrl, storageProblem }) => {
  const shownClock = toClock(clock)
  const problem = storageProblem()
  return reply(200, {
    status: problem ? `storage_${problem.kind}` : 'ready',
    ready: problem === undefined,
    ...(problem && { reason: problem.message }),
    service_url: serviceUrl(),
    version: VERSION,
    now: shownClock.now,
    clock: shownClock,
  })
}

export const getSandbox: ControlOperation<'getSandbox'> = (_, { serviceUrl, dataFolder = null, runs }) =>
  reply(200, { service_url: serviceUrl(), data_folder: dataFolder, used_by: runs.worldUse() })

export const diagnose: ControlOperation<'diagnose'> = (_, context) =>
  performFirst(
    () => context.diagnose(),
    (findings) => reply(200, { findings: [...findings] }),
  )

export const issueCertificate: ControlOperation<'issueCertificate'> = ({ body }, context) =>
  replyAfter(201, () => context.issueCertificate(body.hosts))

export const resetSandbox: ControlOperation<'resetSandbox'> = ({ query }, { clock }) =>
  performFirst(
    (actions) => actions.reset(query.unsubscribed),
    () => reply(200, toClock(clock)),
  )

export const getSnapshot: ControlOperation<'getSnapshot'> = () =>
  replyAfter(200, (actions) => actions.snapshot())

export const listSnapshotSecrets: ControlOperation<'listSnapshotSecrets'> = (_, { view }) =>
  reply(200, {
    secrets: view.secrets().map(({ secret, set_at }) => ({ secret_key: secret, set_at: timestamp(set_at) })),
  })

export const putSnapshot: ControlOperation<'putSnapshot'> = ({ body }, { clock }) =>
  performFirst(
    (actions) => actions.restore(body),
    () => reply(200, toClock(clock)),
  )

const PATIENCE_MS = 10_000

export const settle: ControlOperation<'settle'> = ({ body }) =>
  performFirst(
    (actions) => actions.settle(body.timeout_ms ?? PATIENCE_MS),
    (waiting) =>
      reply(200, waiting.length === 0 ? { settled: true } : { settled: false, waiting_for: [...waiting] }),
  )
