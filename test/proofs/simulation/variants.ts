import type { Command, Plan } from './plan.ts'
import { scheduledAttempts } from './reference-model.ts'
import { run, type Run } from './run.ts'
import { typeToRegister } from './targets.ts'
import type { Plant } from './world/incarnation.ts'

/** The same plan done in another way, which must come to the same. */
interface Variant {
  /** The invariant that it holds. */
  readonly id: string
  readonly about: string
  readonly problems: (plan: Plan, plant: Plant) => Promise<readonly string[]>
}

/** Without what depends on the moment at which it comes. */
function inOrder({ setup, commands }: Plan): Plan {
  const plain = commands.flatMap((command): readonly Command[] => {
    if (command.kind === 'crash') return [command.during]
    if (command.kind === 'pair') return [command.first]
    if (command.kind === 'crowd') return command.calls.map(({ call }) => call)
    return ['go-on', 'bad-disk', 'restart', 'save', 'replace'].includes(command.kind) ? [] : [command]
  })
  return { setup, commands: plain.filter(({ kind }) => kind !== 'resend') }
}

/** Each change moves the clock by a millisecond, and an attempt under way ends before or after it. */
const toSecond = (time: number) => Math.floor(time / 1_000)

/** What became of each job, without ids, which are drawn; in an order of its own. */
function fates({ model }: Run, isCounted = (_: string) => true): readonly string[] {
  return model.jobs
    .filter(({ head }) => isCounted(`${head.generation}/${head.object_type}`))
    .map((job) => {
      const { generation, object_type, state, at, revision } = job.head
      const attempts = scheduledAttempts(job).map((attempt) => [
        toSecond(attempt.due_at),
        toSecond(attempt.started_at),
        attempt.status,
        attempt.reason,
      ])
      return JSON.stringify([generation, object_type, revision, state, toSecond(at), attempts])
    })
    .toSorted()
}

function difference(what: string, first: readonly string[], second: readonly string[]): readonly string[] {
  if (first.join('\n') === second.join('\n')) return []
  const gone = first.find((each) => !second.includes(each))
  const come = second.find((each) => !first.includes(each))
  return [`${what}: ${gone ?? 'nothing'} became ${come ?? 'nothing'}`]
}

async function compare(
  what: string,
  [first, second]: readonly [Plan, Plan],
  { plant, isCounted }: { readonly plant: Plant; readonly isCounted?: (slot: string) => boolean },
): Promise<readonly string[]> {
  const [one, other] = [
    await run(first, { plant, isQuiet: true }),
    await run(second, { plant, isQuiet: true }),
  ]
  return difference(what, fates(one, isCounted), fates(other, isCounted))
}

export const VARIANTS: readonly Variant[] = [
  {
    id: 'I-determinism',
    about: 'the same plan again: the same trace',
    async problems(plan, plant) {
      const [first, second] = [await run(plan, { plant }), await run(plan, { plant })]
      return first.trace === second.trace ? [] : ['the same plan had another trace']
    },
  },
  {
    id: 'I-determinism',
    about: 'a restart behind each command: the same jobs and attempts',
    problems(plan, plant) {
      const plain = inOrder(plan)
      const commands = plain.commands.flatMap((command) => [command, { kind: 'restart' } as const])
      return compare('with restarts', [plain, { ...plain, commands }], { plant })
    },
  },
  {
    id: 'I-clock',
    about: 'each advance in two parts: the same jobs and attempts',
    problems(plan, plant) {
      const plain = inOrder(plan)
      const commands = plain.commands.flatMap((command): readonly Command[] => {
        if (command.kind !== 'advance') return [command]
        const minutes = Math.floor(command.minutes / 2)
        return [
          { ...command, minutes },
          { ...command, minutes: command.minutes - minutes },
        ]
      })
      return compare('with advances in two parts', [plain, { ...plain, commands }], { plant })
    },
  },
  {
    id: 'I-isolation',
    about: 'one registration never answers: the same jobs and attempts for all others',
    problems(plan, plant) {
      const plain = inOrder(plan)
      const [first] = plain.commands
      if (first?.kind !== 'register') return Promise.resolve([])
      const hanging = `${first.generation}/${typeToRegister(first)}`
      return compare('with a receiver that hangs', [plain, { ...plain, setup: { ...plan.setup, hanging } }], {
        plant,
        isCounted: (slot) => slot !== hanging,
      })
    },
  },
]
