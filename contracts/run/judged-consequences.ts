import { paymentKinds, paymentOutcomes, stepsWithItem, type PaymentKind } from '../../spec/payments.ts'
import { catalogue } from '../catalogue.ts'
import { describeObstacle } from '../toolkit/branches.ts'
import type { CheckContext } from '../toolkit/check-context.ts'
import { consequenceOf, type Consequence } from '../toolkit/consequences.ts'
import type { CheckResult, JudgedConsequence } from './run-result.ts'

/** What is configured, as far as it decides what can be judged. */
export interface RunView extends Pick<CheckContext, 'receiver' | 'profile'> {
  readonly calls: Pick<CheckContext['calls'], 'observable'>
  readonly effects: Pick<CheckContext['effects'], 'observable'>
}

/**
 * What your platform acts on in each kind of payment that it has a use for, and which checks saw whether it does. In a run of
 * all checks with effects, what is configured must have been judged, and so must something be where nothing is configured.
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

/** Whether the receiver has a URL for anything that payments of the kind notify. */
function isNotifiedOf({ receiver }: Pick<CheckContext, 'receiver'>, kind: PaymentKind): boolean {
  return paymentOutcomes(kind)
    .flatMap((outcome) => stepsWithItem(kind, outcome).flat())
    .some(({ object }) => receiver.types().includes(object))
}

/** Such as "card-payin (items completed)". */
export function formatConsequence({
  kind,
  object,
  type,
  type_method,
  state,
}: Consequence & Pick<JudgedConsequence, 'kind'>): string {
  return `${kind} (${[object, type, type_method, state].filter((part) => part !== undefined).join(' ')})`
}
