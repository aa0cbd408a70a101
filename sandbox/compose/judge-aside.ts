import type { AsideFile } from '../adapters/aside-file.ts'
import type { Judge, PlannedRun } from '../api/control/judge.ts'
import type { Store } from '../engine/state/store.ts'
import type { Perform } from './perform.ts'

/** The world that a run was to put back is kept aside still. Its causes are what ended the run, and what kept it from coming back. */
export class WorldLeftError extends AggregateError {
  override readonly name = 'WorldLeftError'

  constructor(ended: unknown, failure: unknown) {
    const why = failure instanceof Error ? failure.message : String(failure)
    super(
      [ended, failure],
      `Cannot put back the world from before the run: ${why}; it is kept, and comes back when there is room, or when the next run begins or the sandbox starts again, in place of all that is changed until then`,
    )
  }
}

interface WorldPorts {
  readonly perform: Perform
  readonly store: Pick<Store, 'onProblem'>
  readonly onError: (where: string, error: unknown) => void
}

/** The same judge; while it uses the sandbox, the world that it puts back is on disk, too: a crash would take it along. */
export function withWorldAside(judge: Judge, aside: AsideFile, ports: WorldPorts): Judge {
  const { perform } = ports
  const keepWorld = ({ about, run }: PlannedRun): PlannedRun => ({
    about,
    async run(runPorts) {
      await putBackWorld(aside, perform)
      const world = await perform('getSnapshot')
      aside.keep(JSON.stringify(world))
      const outcome = await run(runPorts).catch(async (error: unknown) => {
        // Whether it was put back before it broke off is not known.
        await putBackWorld(aside, perform).catch((failure: unknown) => {
          putBackLater(aside, ports)
          throw new WorldLeftError(error, failure)
        })
        throw error
      })
      aside.forget()
      return outcome
    },
  })
  return {
    checks: judge.checks,
    rehearse: async (request, sandbox) => keepWorld(await judge.rehearse(request, sandbox)),
    check: async (request, sandbox) => keepWorld(await judge.check(request, sandbox)),
  }
}

/** As soon as the store takes changes again. */
function putBackLater(aside: AsideFile, { perform, store, onError }: WorldPorts): void {
  const unsubscribe = store.onProblem((problem) => {
    if (problem) return
    unsubscribe()
    putBackWorld(aside, perform).catch((error: unknown) => onError(LEFT_WORLD, error))
  })
}

/** What is put back, to tell of it where that fails. */
export const LEFT_WORLD = 'the world that a run of checks was to put back'

/** Puts back the world that a crash has left aside; throws what the snapshot is refused for, and leaves it then. */
export async function putBackWorld(aside: AsideFile, perform: Perform): Promise<void> {
  const text = aside.read()
  if (text === undefined) return
  await perform('putSnapshot', { body: JSON.parse(text) })
  aside.forget()
}
