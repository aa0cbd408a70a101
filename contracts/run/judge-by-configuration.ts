import { describeLoss, NEEDS, type Need } from '../check.ts'
import { notObservable } from '../finding.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { receiverUrls } from './receiver-urls.ts'
import type { CheckResult } from './run-result.ts'

/** What the configuration alone says of a check; undefined if the check has to be put to the receiver. */
export function judgeByConfiguration(
  check: ReceiverCheck,
  options: RunOptions,
): Pick<CheckResult, 'verdict' | 'finding' | 'missing'> | undefined {
  const missing = (check.needs ?? []).filter((need) => !isConfigured(need, options))
  const [need] = missing
  if (need === undefined) return undefined
  if (!isPlaced(missing, options)) return { verdict: 'skipped', finding: undefined, missing }
  const finding = notObservable(`set ${NEEDS[need].settings}${NEEDS[need].detail}${describeLoss([need])}`)
  return { verdict: finding.kind, finding, missing }
}

/** A platform may have no callbacks, and may say that nothing is signed: then there is nothing to observe. */
function isPlaced(missing: readonly Need[], { readings }: Pick<RunOptions, 'readings'>): boolean {
  return !missing.includes('callbacks') && !(missing.includes('signature') && readings['signature'] === 'off')
}

function isConfigured(need: Need, options: RunOptions): boolean {
  const { receiver, effects, process: commands, reconcile, secret } = options
  switch (need) {
    case 'calls':
      return receiver.callsBack
    case 'effects':
      return effects !== undefined
    case 'process':
      return commands !== undefined
    case 'reconcile':
      return reconcile !== undefined
    case 'source-addresses':
      return receiver.source !== undefined
    case 'signature':
      return secret !== undefined
    case 'callbacks':
      return receiverUrls(receiver).types('callbacks').length > 0
    default:
      return need satisfies never
  }
}
