import { performFirst, reply } from '../operations/operation.ts'
import type { ControlOperation } from './operation.ts'

export const listChecks: ControlOperation<'listChecks'> = (_, { runs }) =>
  performFirst(
    () => runs.checks(),
    (checks) => reply(200, { checks: [...checks] }),
  )

export const startRehearsal: ControlOperation<'startRehearsal'> = ({ body }, { runs }) =>
  performFirst(
    () => runs.startRehearsal(body),
    (run) => reply(202, run),
  )

export const previewRehearsal: ControlOperation<'previewRehearsal'> = ({ body }, { runs }) =>
  performFirst(
    () => runs.previewRehearsal(body),
    (preview) => reply(200, preview),
  )

export const startChecks: ControlOperation<'startChecks'> = ({ body }, { runs }) =>
  performFirst(
    () => runs.startChecks(body),
    (run) => reply(202, run),
  )

export const listRuns: ControlOperation<'listRuns'> = (_, { runs }) => reply(200, { runs: [...runs.list()] })

export const getRun: ControlOperation<'getRun'> = ({ path }, { runs }) => reply(200, runs.get(path.id))

export const stopRun: ControlOperation<'stopRun'> = ({ path }, { runs }) =>
  performFirst(
    () => runs.stop(path.id),
    (run) => reply(200, run),
  )

export const claimWorld: ControlOperation<'claimWorld'> = ({ path, body }, { runs }) =>
  performFirst(
    async () => runs.claim(path.id, body),
    (claim) => reply(200, claim),
  )

export const releaseWorld: ControlOperation<'releaseWorld'> = ({ path }, { runs }) =>
  performFirst(
    async () => runs.release(path.id),
    (claim) => reply(200, claim),
  )
