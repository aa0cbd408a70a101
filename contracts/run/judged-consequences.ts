import { paymentKinds, paymentOutcomes, stepsWithItem, type PaymentKind } from '../../spec/payments.ts'
import { catalogue } from '../catalogue.ts'
import { describeObstacle } from '../toolkit/branches.ts'
import type { CheckContext } from '../toolkit/check-context.ts'
import { consequenceOf, type Consequence } from '../toolkit/consequences.ts'
import type { CheckResult, JudgedConsequence } from './run-result.ts'

export interface RunView extends Pick<CheckContext, 'receiver' | 'profile'> {
  readonly calls: Pick<CheckContext['calls'], 'observable'>
  readonly effects: Pick<CheckContext['effects'], 'observable'>
}

/**
 * Lists the consequence of each used kind of payment, and the checks that judged it. In a run of all checks
 * with effects, every configured consequence must be judged.
 */
export function listConsequences(
  results: readonly CheckResult[],
  context: RunView,
): readonly JudgedConsequence[] {
  const { effects, profile } = context
  const kinds = paymentKinds.filter((kind) => !profile.unused.includes(kind))
  const isWhole = catalogue.every(({ id }) => results.some(({ check }) => check.id === id))
  const isLookedFor = isWhole && effects.observable
  const isBlind = !results.some(({ judged }) => judged.length > 0)
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
      obstacle: isJudged ? null : explainMiss(context, kind, isWhole),
      isMissed: !isJudged && isDemanded && isLookedFor,
    }
  })
}

function explainMiss(context: RunView, kind: PaymentKind, isWhole: boolean): string {
  if (!context.effects.observable) return 'no configuration shows its effects'
  const obstacle = describeObstacle(context, kind)
  return obstacle ?? (isWhole ? 'no check came to a verdict about it' : 'no check of this run looks at it')
}

function isNotifiedOf({ receiver }: Pick<CheckContext, 'receiver'>, kind: PaymentKind): boolean {
  return paymentOutcomes(kind)
    .flatMap((outcome) => stepsWithItem(kind, outcome).flat())
    .some(({ object }) => receiver.types().includes(object))
}

/** Returns a text such as "card-payin (items completed)". */
export function formatConsequence({
  kind,
  object,
  type,
  type_method,
  state,
}: Consequence & Pick<JudgedConsequence, 'kind'>): string {
  return `${kind} (${[object, type, type_method, state].filter((part) => part !== undefined).join(' ')})`
}
