import { errorMessage } from '../../spec/errors.ts'
import type { RecoveryFile } from '../adapters/recovery-file.ts'
import type { Judge, PlannedRun } from '../api/control/judge.ts'
import type { Store } from '../engine/state/store.ts'
import type { OwnSnapshots } from './own-snapshots.ts'

/** The world that a run was to put back is kept still. Its causes are what ended the run, if it broke off, and what kept it from coming back. */
export class WorldLeftError extends AggregateError {
  override readonly name = 'WorldLeftError'

  constructor(causes: readonly unknown[]) {
    const failure = causes.at(-1)
    const why = errorMessage(failure)
    super(
      causes,
      `Cannot put back the world from before the run: ${why}; it is kept, and comes back when there is room, or when the next run begins or the sandbox starts again, in place of all that is changed until then`,
    )
  }
}

interface RecoveryPorts {
  readonly file: RecoveryFile
  readonly snapshots: OwnSnapshots
  readonly store: Pick<Store, 'length' | 'onProblem'>
  readonly onError: (where: string, error: unknown) => void
}

/** The same judge; the world is on disk while a run uses the sandbox, as a crash would take it along, and is put back from there. */
export function withWorldRecovery(judge: Judge, ports: RecoveryPorts): Judge {
  const keepWorld = ({ about, run }: PlannedRun): PlannedRun => ({
    about,
    async run(runPorts) {
      await recoverWorld(ports)
      await keepWhole(ports)
      const [ended] = await Promise.allSettled([run(runPorts)])
      const causes = ended.status === 'rejected' ? [ended.reason] : []
      await recoverWorld(ports).catch((failure: unknown) => {
        recoverLater(ports)
        throw new WorldLeftError([...causes, failure])
      })
      if (ended.status === 'rejected') throw ended.reason
      return ended.value
    },
  })
  return {
    checks: judge.checks,
    preview: judge.preview,
    rehearse: async (request, sandbox) => keepWorld(await judge.rehearse(request, sandbox)),
    check: async (request, sandbox) => keepWorld(await judge.check(request, sandbox)),
  }
}

/** How often a world is copied in which something changes meanwhile. */
const MOST_COPIES = 5

/** Nothing that was acknowledged is missing: what changes while the world is copied would be lost as it is put back. */
async function keepWhole({ file, snapshots, store }: RecoveryPorts): Promise<void> {
  for (let copies = 0; copies < MOST_COPIES; copies++) {
    const length = store.length
    await file.keep(snapshots.read())
    if (store.length === length) return
  }
  file.forget()
  throw new Error(
    'Cannot begin: the sandbox goes on changing; wait until it is at rest, as with "npx hookbench settle"',
  )
}

/** As soon as the store takes changes again. */
function recoverLater(ports: RecoveryPorts): void {
  const unsubscribe = ports.store.onProblem((problem) => {
    if (problem) return
    unsubscribe()
    recoverWorld(ports).catch((error: unknown) => ports.onError(LEFT_WORLD, error))
  })
}

/** What is put back, to tell of it where that fails. */
export const LEFT_WORLD = 'the world that a run of checks was to put back'

/** Puts back the world that is kept, if any is; throws what the snapshot is refused for, and keeps it then. */
export async function recoverWorld({
  file,
  snapshots,
}: Pick<RecoveryPorts, 'file' | 'snapshots'>): Promise<void> {
  const pieces = file.read()
  if (!pieces) return
  await snapshots.putBack(pieces)
  file.forget()
}
