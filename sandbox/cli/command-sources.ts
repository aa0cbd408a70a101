import type { Command } from 'commander'
import type { DescribedValue } from './completion-command.ts'
import { withManual, type Manual } from './manual.ts'
import type { LoadJudge } from './up-commands.ts'

/** Parts of the program that come from other folders. */
export interface HandedIn {
  /** Loads the judge of receivers. Without it, the sandbox runs no checks. */
  readonly loadJudge?: LoadJudge
  /** Lists check ids and topics for completion. */
  readonly listChecks?: () => Promise<readonly DescribedValue[]>
}

/** A file with commands. It is loaded on the call of one of them, or for the full help. */
export interface CommandSource {
  /** The heading in the help. */
  readonly heading: string
  readonly names: readonly string[]
  readonly load: (handed: HandedIn) => Promise<readonly Command[]>
  /** The manuals of commands from other folders, by name. */
  readonly loadManuals?: () => Promise<Readonly<Record<string, Manual>>>
}

/** The commands of the sandbox in the order of the help. */
export const SANDBOX_COMMANDS: readonly CommandSource[] = [
  {
    heading: 'Sandbox:',
    names: ['up', 'demo'],
    async load({ loadJudge }) {
      const { demoCommand, upCommand } = await import('./up-commands.ts')
      return [upCommand(loadJudge), demoCommand(loadJudge)]
    },
  },
  {
    heading: 'Sandbox:',
    names: ['down'],
    load: async () => [(await import('./down-command.ts')).downCommand()],
  },
  {
    heading: 'Sandbox:',
    names: ['ready'],
    load: async () => [(await import('./ready-command.ts')).readyCommand()],
  },
  {
    heading: 'Sandbox:',
    names: ['doctor'],
    load: async () => [(await import('./doctor-command.ts')).doctorCommand()],
  },
  {
    heading: 'Sandbox:',
    names: ['events'],
    load: async () => [(await import('./events-command.ts')).eventsCommand()],
  },
  {
    heading: 'Objects and payments:',
    names: ['create', 'show', 'change', 'move'],
    load: async () => (await import('./object-commands.ts')).objectCommands(),
  },
  {
    heading: 'Objects and payments:',
    names: ['objects', 'describe'],
    load: async () => (await import('./objects-command.ts')).objectViewCommands(),
  },
  {
    heading: 'Objects and payments:',
    names: ['play', 'next', 'payments', 'payment'],
    load: async () => (await import('./payment-commands.ts')).paymentCommands(),
  },
  {
    heading: 'Objects and payments:',
    names: ['next-outcome'],
    load: async () => [(await import('./next-outcome-command.ts')).nextOutcomeCommand()],
  },
  {
    heading: 'Deliveries:',
    names: ['jobs', 'job', 'resend'],
    load: async () => (await import('./job-commands.ts')).jobCommands(),
  },
  {
    heading: 'Deliveries:',
    names: ['deliver', 'deliveries', 'delivery'],
    load: async () => (await import('./delivery-commands.ts')).deliveryCommands(),
  },
  {
    heading: 'Deliveries:',
    names: ['timeline'],
    load: async () => [(await import('./timeline-command.ts')).timelineCommand()],
  },
  {
    heading: 'Deliveries:',
    names: ['requests'],
    load: async () => [(await import('./request-commands.ts')).requestsCommand()],
  },
  {
    heading: 'Faults:',
    names: ['faults'],
    load: async () => [(await import('./fault-commands.ts')).faultsCommand()],
  },
  {
    heading: 'Clock:',
    names: ['clock', 'advance', 'settle'],
    load: async () => (await import('./clock-commands.ts')).clockCommands(),
  },
  {
    heading: 'World:',
    names: ['readings', 'reset'],
    load: async () => (await import('./world-commands.ts')).worldCommands(),
  },
  {
    heading: 'World:',
    names: ['worlds'],
    load: async () => [(await import('./worlds-command.ts')).worldsCommand()],
  },
  {
    heading: 'World:',
    names: ['snapshot'],
    load: async () => [(await import('./snapshot-command.ts')).snapshotCommand()],
  },
  {
    heading: 'Receiver:',
    names: ['register', 'registrations', 'enable', 'disable', 'unregister'],
    load: async () => (await import('./registration-commands.ts')).registrationCommands(),
  },
  {
    heading: 'Files:',
    names: ['cert'],
    load: async () => [(await import('./cert-command.ts')).certCommand()],
  },
  {
    heading: 'Files:',
    names: ['completion'],
    load: async () => [(await import('./completion-command.ts')).completionCommand()],
  },
]

/**
 * Loads the commands of the called source, each under its heading. Loads all sources if none has the command.
 */
export async function loadCommands(
  sources: readonly CommandSource[],
  called: string | undefined,
  handed: HandedIn = {},
): Promise<Command[]> {
  const having = sources.filter(({ names }) => called !== undefined && names.includes(called))
  const chosen = having.length === 0 ? sources : having
  const groups = await Promise.all(
    chosen.map(async ({ heading, load, loadManuals }) => {
      const manuals = await loadManuals?.()
      return (await load(handed)).map((command) => {
        const manual = manuals?.[command.name()]
        return (manual ? withManual(command, manual) : command).helpGroup(heading)
      })
    }),
  )
  return groups.flat()
}
