import { retryOffsetsMs } from '../../../spec/delivery.ts'
import { signatureHeader } from '../../../spec/signature.ts'
import { selectBranches } from '../../toolkit/branches.ts'
import type { CheckContext, MakeSignature, ReceiverCheck } from '../../toolkit/check-context.ts'
import { isAccepted, requireAccepted } from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { named } from '../../toolkit/messages.ts'
import { checkRepetition, requireEffects } from '../../toolkit/payment-outcome.ts'
import { combineFindings, type Finding } from '../../finding.ts'

export const lateRepetitionChecks: readonly ReceiverCheck[] = [
  {
    id: 'idempotency/late-repetition',
    severity: 'must',
    requirement:
      'The receiver does not act again on a delivery that is repeated at the end of the run, or days later by its clock.',
    lines: [297, 343, 344, 345],
    readings: ['retry-window', 'retry-body'],
    needs: ['effects'],
    uses: ['process'],
    spansRun: true,
    meaning:
      'A delivery whose answer was lost comes again up to seven hours later, and days later if the operator sends it by hand. A cache of deliveries has forgotten it by then, and the money is spent twice.',
    remedy:
      'Keep the record of the object and the state that you acted on for as long as you keep the payment. Use a unique key in the transaction that acts, and let no record expire.',
    run: checkLateRepetition,
  },
]

/** The minimum time between repetitions, longer than most caches. Real milliseconds. */
const LEAST_SPAN_MS = 5_000

async function checkLateRepetition(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const finished = await playToSuccess(context, branches)
  const firstAt = context.elapsed()
  const begun = await context.service.now()
  // A second effect needs a first one.
  const firsts = await Promise.all(
    finished.map(
      async (each) => requireAccepted(await context.send(each.message)) ?? requireEffects(context, each),
    ),
  )
  await context.restOfRun(LEAST_SPAN_MS)

  const acted = finished.filter((_, index) => firsts[index] === undefined)
  const span = `${Math.round((context.elapsed() - firstAt) / 1_000)} s`
  const late = await repeatAll(context, acted, { when: `${span} after it came first` })
  const isWorthwhile = acted.length > 0 && late.every((finding) => finding === undefined)
  const days =
    isWorthwhile && context.process.observable ? await repeatDaysLater(context, acted, begun) : undefined
  const limit = `a repetition later than ${span} after the first delivery${days?.limit ?? WITHOUT_DAYS}`
  return combineFindings([...firsts, ...late, ...(days?.findings ?? [])], limit, unobserved)
}

interface Repetition {
  readonly when: string
  /** For receivers that verify signatures by their own clock instead of real time. */
  readonly byItsClock?: MakeSignature
}

function repeatAll(
  context: CheckContext,
  acted: readonly PaymentToNotify[],
  { when, byItsClock: signature }: Repetition,
): Promise<readonly (Finding | undefined)[]> {
  return Promise.all(
    acted.map((each) => {
      const again = named(each.message, when)
      const notify = async () => {
        const sent = await context.sendUntilAccepted(again)
        const isSignedAnew = !isAccepted(sent) && signature && context.profile.signed
        const signed = named(again, 'signed by that clock')
        return [isSignedAnew ? await context.sendUntilAccepted(signed, { signature }) : sent]
      }
      const because = `although ${each.branch.kind} was notified again ${when}`
      return checkRepetition(context, each, { notify, because })
    }),
  )
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A day after the last retry, as in a manual resend. Source: §8 */
function laterMs({ profile }: CheckContext): number {
  const lastRetryMs = retryOffsetsMs('webhooks', profile.readings).at(-1) ?? 0
  return Math.max(lastRetryMs, DAY_MS) + DAY_MS
}

const WITHOUT_DAYS = '; with process.stop and process.start it is started again days later by HOOKBENCH_NOW'

/** A receiver may read the clock only at its start. */
async function repeatDaysLater(context: CheckContext, acted: readonly PaymentToNotify[], begun: string) {
  await context.process.stop()
  const now = await context.service.advance(laterMs(context))
  await context.process.start({ now })
  const startedAt = context.elapsed()
  const hours = `${Math.floor((Date.parse(now) - Date.parse(begun)) / HOUR_MS)} hours`
  const itsNow = () => Date.parse(now) + context.elapsed() - startedAt
  const findings = await repeatAll(context, acted, {
    when: `${hours} later by HOOKBENCH_NOW`,
    byItsClock: ({ secret, body }) => signatureHeader([secret], Math.floor(itsNow() / 1_000), body),
  })
  // The receiver is already at rest if an effect was found.
  if (findings.some((finding) => finding !== undefined)) await context.rest()
  await context.process.stop()
  await context.process.start()
  return { findings, limit: `, or than ${hours} by its clock if that begins at HOOKBENCH_NOW` }
}
