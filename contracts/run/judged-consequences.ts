import { paymentKinds, paymentOutcomes, stepsWithItem, type PaymentKind } from '../../spec/payments.ts'
import { catalogue } from '../catalogue.ts'
import { describeObstacle } from '../toolkit/branches.ts'
import type { ReceiverUrls } from '../toolkit/check-context.ts'
import { consequenceOf, type Consequence } from '../toolkit/consequences.ts'
import type { CheckResult, JudgedConsequence } from './run-result.ts'
import type { Shared } from './shared-state.ts'

/** Lists each used consequence with its checks. If effects are observable, a run of all checks must judge every consequence. */
export function listConsequences(
  results: readonly CheckResult[],
  { profile, urls, probe }: Pick<Shared, 'profile' | 'urls' | 'probe'>,
): readonly JudgedConsequence[] {
  const context = { profile, receiver: urls, calls: { observable: profile.callsBack } }
  const kinds = paymentKinds.filter((kind) => !profile.unused.includes(kind))
  const isWhole = catalogue.every(({ id }) => results.some(({ check }) => check.id === id))
  const isLookedFor = isWhole && probe !== undefined
  const isBlind = !results.some(({ judged }) => judged.length > 0)
  const unjudged = isWhole
    ? 'no check reached a verdict on this kind of payment'
    : 'no check of this run judges this kind of payment'
  return kinds.map((kind) => {
    const judgedBy = results.filter(({ judged }) => judged.includes(kind)).map(({ check }) => check.id)
    const isConfigured = Object.hasOwn(profile.consequences, kind)
    const isDemanded = isConfigured || (isBlind && isNotifiedOf(context, kind))
    const isJudged = judgedBy.length > 0
    return {
      kind,
      ...consequenceOf(kind, profile.consequences),
      isConfigured,
      isLookedFor,
      judgedBy,
      obstacle: isJudged
        ? null
        : probe
          ? (describeObstacle(context, kind) ?? unjudged)
          : 'the configuration has no "effects"',
      isMissed: !isJudged && isDemanded && isLookedFor,
    }
  })
}

function isNotifiedOf({ receiver }: { readonly receiver: ReceiverUrls }, kind: PaymentKind): boolean {
  return paymentOutcomes(kind)
    .flatMap((outcome) => stepsWithItem(kind, outcome).flat())
    .some(({ object }) => receiver.types().includes(object))
}

/** Returns a text such as "card-payin (items completed)". */
export function formatConsequence(consequence: Consequence & Pick<JudgedConsequence, 'kind'>): string {
  const { kind, object, type, type_method, state } = consequence
  return `${kind} (${[object, type, type_method, state].filter((part) => part !== undefined).join(' ')})`
}
