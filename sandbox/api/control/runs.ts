import { performFirst, reply, replyAfter } from '../operations/operation.ts'
import type { ControlOperation } from './operation.ts'

export const listChecks: ControlOperation<'listChecks'> = (_, { runs }) =>
  performFirst(
    () => runs.checks(),
    (checks) => reply(200, { checks: [...checks] }),
  )

export const startRehearsal: ControlOperation<'startRehearsal'> = ({ body }, { runs }) =>
  replyAfter(202, () => runs.startRehearsal(body))

export const previewRehearsal: ControlOperation<'previewRehearsal'> = ({ body }, { runs }) =>
  replyAfter(200, () => runs.previewRehearsal(body))

export const startChecks: ControlOperation<'startChecks'> = ({ body }, { runs }) =>
  replyAfter(202, () => runs.startChecks(body))

export const listRuns: ControlOperation<'listRuns'> = (_, { runs }) => reply(200, { runs: [...runs.list()] })

export const getRun: ControlOperation<'getRun'> = ({ path }, { runs }) => reply(200, runs.get(path.id))

export const stopRun: ControlOperation<'stopRun'> = ({ path }, { runs }) =>
  replyAfter(200, () => runs.stop(path.id))

export const claimWorld: ControlOperation<'claimWorld'> = ({ path, body }, { runs }) =>
  reply(200, runs.claim(path.id, body))

export const releaseWorld: ControlOperation<'releaseWorld'> = ({ path }, { runs }) =>
  reply(200, runs.release(path.id))
