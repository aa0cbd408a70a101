import type { AsideFile } from '../adapters/aside-file.ts'
import type { Judge, PlannedRun } from '../api/control/judge.ts'
import type { Perform } from './perform.ts'

/** The same judge; while it uses the sandbox, the world that it puts back is on disk, too: a crash would take it along. */
export function withWorldAside(judge: Judge, aside: AsideFile, perform: Perform): Judge {
  const keepWorld = ({ about, run }: PlannedRun): PlannedRun => ({
    about,
    async run(ports) {
      const world = await perform('getSnapshot')
      aside.keep(JSON.stringify(world))
      const outcome = await run(ports).catch(async (error: unknown) => {
        // Whether it was put back before it broke off is not known.
        await perform('putSnapshot', { body: world })
        aside.forget()
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

/** Puts back the world that a crash has left aside; throws what the snapshot is refused for, and leaves it then. */
export async function putBackWorld(aside: AsideFile, perform: Perform): Promise<void> {
  const text = aside.read()
  if (text === undefined) return
  await perform('putSnapshot', { body: JSON.parse(text) })
  aside.forget()
}
