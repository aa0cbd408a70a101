import { requiredLevel, type Need } from '../check.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { receiverUrls } from './receiver-urls.ts'

/** The kinds of observations for levels 1 to 3. At level 0, a run observes only the receiver's answers. */
export const OBSERVATIONS = ['calls', 'effects', 'process'] as const

export function configuredLevel(options: RunOptions): 0 | 1 | 2 | 3 {
  return requiredLevel({ needs: OBSERVATIONS.filter((need) => isConfigured(need, options)) })
}

export function isConfigured(need: Need, options: RunOptions): boolean {
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
