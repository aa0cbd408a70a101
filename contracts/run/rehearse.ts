import { notObservable, PASSED, type Finding } from '../finding.ts'
import { concludeRun, type Conclusion } from './exit-code.ts'
import type { OpenWishes, Run } from './open-run.ts'
import type { CheckResult } from './run-result.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'
import type { RehearsalPlan } from '../toolkit/rehearsal-plan.ts'
import { checkRehearsal, shrinkOrder } from '../toolkit/rehearsal-verdict.ts'
import { playRehearsals } from '../toolkit/scenario.ts'
import type { RehearsalDelivery } from '../../spec/generated/control-types.ts'

export type RehearsalProgress =
  | { readonly phase: 'playing'; readonly sent: number }
  /** The search for a shorter failing order. `tried` is the number of orders that the search has tried. */
  | { readonly phase: 'shrinking'; readonly tried: number }

export interface RehearsalWishes extends OpenWishes {
  readonly shrinks: boolean
  readonly onProgress?: (progress: RehearsalProgress) => void
}

export interface RehearsedOrder {
  readonly deliveries: readonly RehearsalDelivery[]
  readonly result: CheckResult
}

export interface RehearsalOutcome {
  readonly plan: RehearsalPlan
  readonly whole: RehearsedOrder
  readonly shortest: RehearsedOrder | undefined
  /** The reason why the search for a shorter order is incomplete. Null if the search was complete or not requested. */
  readonly unsearched: string | null
  readonly unreached: string | null
  readonly conclusion: Conclusion
}

type Conductor = Pick<Run, 'check' | 'unreached'>

export async function conductRehearsal(
  run: Conductor,
  plan: RehearsalPlan,
  { shrinks, onProgress = () => {} }: RehearsalWishes,
): Promise<RehearsalOutcome> {
  const onRound = (sent: number) => onProgress({ phase: 'playing', sent })
  onRound(0)
  const { deliveries } = plan.rehearsal
  const whole = {
    deliveries,
    result: await run.check(orderCheck('rehearsal', plan, onRound), plan.rehearsal.branch.kind),
  }
  const { shortest, unsearched = null } = shrinks ? await findShortest(run, plan, { whole, onProgress }) : {}
  const concluded = { results: [whole.result], unreached: run.unreached, consequences: [] }
  return {
    plan,
    whole,
    shortest,
    unsearched,
    unreached: run.unreached,
    conclusion: concludeRun(concluded, { failOn: 'must', require: [] }),
  }
}

interface Search extends Required<Pick<RehearsalWishes, 'onProgress'>> {
  readonly whole: RehearsedOrder
}

/** Searches for the shortest failing order. The shortest order counts only if it fails again. */
async function findShortest(run: Conductor, plan: RehearsalPlan, { whole, onProgress }: Search) {
  const { finding } = whole.result
  if (finding?.kind !== 'failed') return {}
  let deliveries = whole.deliveries
  let tried = 0
  const search: ReceiverCheck = {
    ...orderCheck('rehearsal/shrinking', plan),
    async run(context) {
      deliveries = await shrinkOrder(whole.deliveries, finding, async (orders) => {
        const rehearsals = orders.map((each) => ({ ...plan.rehearsal, deliveries: each }))
        const played = await playRehearsals(context, rehearsals)
        onProgress({ phase: 'shrinking', tried: (tried += orders.length) })
        return Promise.all(played.map((each) => checkRehearsal(context, each, plan.obstacle)))
      })
      return PASSED
    },
  }
  const searched = await run.check(search)
  const { verdict, finding: end } = searched
  if (verdict !== 'passed')
    return { unsearched: end && 'why' in end ? end.why : 'the rehearsal has no verdict' }
  if (deliveries === whole.deliveries) return {}
  const shorter = { ...plan, rehearsal: { ...plan.rehearsal, deliveries } }
  const result = await run.check(orderCheck('rehearsal/shortest', shorter))
  return result.verdict === 'failed' ? { shortest: { deliveries, result } } : {}
}

/** Returns a check that tests one delivery order. The ids of the objects depend on the id of this check. */
function orderCheck(
  id: string,
  { rehearsal, obstacle }: RehearsalPlan,
  onRound?: (sent: number) => void,
): ReceiverCheck {
  return {
    id,
    severity: 'must',
    requirement:
      'For notifications in this order, the receiver acts once on a payment that succeeds, and never on a payment that fails.',
    lines: [217, 297, 343, 344],
    uses: ['effects'],
    meaning:
      'Retries, duplicates and lost notifications occur in any combination. If the order or number of notifications changes the result, your platform releases a payment twice, never, or wrongly.',
    remedy:
      'Treat every notification only as a reason to fetch the object from the service. Move the state of the object forward only. Act once on success, and record the action under a unique key.',
    async run(context): Promise<Finding> {
      const [played] = await playRehearsals(context, [rehearsal], onRound)
      return played ? checkRehearsal(context, played, obstacle) : notObservable('No payment was played')
    },
  }
}
