import type { Command } from 'commander'
import type { DescribedValue } from './completion-command.ts'
import { withManual, type Manual } from './manual.ts'
import type { LoadJudge } from './up-commands.ts'

export interface ProgramDependencies {
  /** Loads the judge, which runs checks. Without this function, the sandbox cannot run checks. */
  readonly loadJudge?: LoadJudge
  readonly listChecks?: () => Promise<readonly DescribedValue[]>
}

export interface CommandSource {
  readonly heading: string
  readonly names: readonly string[]
  readonly load: (handed: ProgramDependencies) => Promise<Command | readonly Command[]>
  readonly loadManuals?: () => Promise<Readonly<Record<string, Manual>>>
}

export const SANDBOX_COMMANDS: readonly CommandSource[] = [
  source('Sandbox:', ['up', 'demo'], async ({ loadJudge }) => {
    const { demoCommand, upCommand } = await import('./up-commands.ts')
    return [upCommand(loadJudge), demoCommand(loadJudge)]
  }),
  source('Sandbox:', ['down'], async () => (await import('./down-command.ts')).downCommand()),
  source('Sandbox:', ['ready'], async () => (await import('./ready-command.ts')).readyCommand()),
  source('Sandbox:', ['doctor'], async () => (await import('./doctor-command.ts')).doctorCommand()),
  source('Sandbox:', ['events'], async () => (await import('./events-command.ts')).eventsCommand()),
  source('Objects and payments:', ['create', 'show', 'change', 'move'], async () =>
    (await import('./object-commands.ts')).objectCommands(),
  ),
  source('Objects and payments:', ['objects', 'describe'], async () =>
    (await import('./objects-command.ts')).objectViewCommands(),
  ),
  source('Objects and payments:', ['play', 'next', 'payments', 'payment'], async () =>
    (await import('./payment-commands.ts')).paymentCommands(),
  ),
  source('Objects and payments:', ['next-outcome'], async () =>
    (await import('./next-outcome-command.ts')).nextOutcomeCommand(),
  ),
  source('Deliveries:', ['jobs', 'job', 'resend'], async () =>
    (await import('./job-commands.ts')).jobCommands(),
  ),
  source('Deliveries:', ['deliver', 'deliveries', 'delivery'], async () =>
    (await import('./delivery-commands.ts')).deliveryCommands(),
  ),
  source('Deliveries:', ['timeline'], async () => (await import('./timeline-command.ts')).timelineCommand()),
  source('Deliveries:', ['requests'], async () => (await import('./request-commands.ts')).requestsCommand()),
  source('Faults:', ['faults'], async () => (await import('./fault-commands.ts')).faultsCommand()),
  source('Clock:', ['clock', 'advance', 'settle'], async () =>
    (await import('./clock-commands.ts')).clockCommands(),
  ),
  source('World:', ['readings', 'reset'], async () => (await import('./world-commands.ts')).worldCommands()),
  source('World:', ['worlds'], async () => (await import('./worlds-command.ts')).worldsCommand()),
  source('World:', ['snapshot'], async () => (await import('./snapshot-command.ts')).snapshotCommand()),
  source('Receiver:', ['register', 'registrations', 'enable', 'disable', 'unregister'], async () =>
    (await import('./registration-commands.ts')).registrationCommands(),
  ),
  source('Files:', ['cert'], async () => (await import('./cert-command.ts')).certCommand()),
  source('Files:', ['completion'], async () => (await import('./completion-command.ts')).completionCommand()),
]

function source(heading: string, names: readonly string[], load: CommandSource['load']): CommandSource {
  return { heading, names, load }
}

/** Loads the commands of the source with the called command. Loads all commands if no source contains the command. */
export async function loadCommands(
  sources: readonly CommandSource[],
  called: string | undefined,
  handed: ProgramDependencies = {},
): Promise<Command[]> {
  const having = sources.filter(({ names }) => called !== undefined && names.includes(called))
  const chosen = having.length === 0 ? sources : having
  const groups = await Promise.all(
    chosen.map(async ({ heading, load, loadManuals }) => {
      const manuals = await loadManuals?.()
      return [await load(handed)].flat().map((command) => {
        const manual = manuals?.[command.name()]
        return (manual ? withManual(command, manual) : command).helpGroup(heading)
      })
    }),
  )
  return groups.flat()
}
