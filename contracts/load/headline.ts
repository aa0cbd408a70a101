import type { TONES } from '../report/headline.ts'
import { capitalize } from '../report/markup.ts'
import { concludeLoad, findFailures, type LoadConclusion } from './conclusion.ts'
import { formatDuration } from './format-duration.ts'
import type { LoadResult } from './load-result.ts'
import { findSenderLimits, type LoadDemands } from './sender-limits.ts'

/** What every report of a load says first. It is never `good` where the exit code is not 0. */
export interface LoadHeadline {
  readonly kind: LoadConclusion
  readonly tone: keyof typeof TONES
  /** Without a full stop. */
  readonly sentence: string
  /** Why, and what to do. */
  readonly details: readonly string[]
}

export function headlineOfLoad(result: LoadResult, demands: LoadDemands): LoadHeadline {
  const kind = concludeLoad(result, demands)
  return { kind, tone: TONE_BY_KIND[kind], ...describeConclusion(kind, result, demands) }
}

const TONE_BY_KIND: { readonly [Kind in LoadConclusion]: LoadHeadline['tone'] } = {
  unreached: 'unknown',
  failed: 'bad',
  stopped: 'unknown',
  'sender-limited': 'unknown',
  'effects-unread': 'unknown',
  'effects-unseen': 'partial',
  passed: 'good',
}

function describeConclusion(
  kind: LoadConclusion,
  result: LoadResult,
  demands: LoadDemands,
): Pick<LoadHeadline, 'sentence' | 'details'> {
  const limits = findSenderLimits(result, demands).map(({ text }) => text)
  const load = describeLoad(result)
  switch (kind) {
    case 'unreached': {
      const sentence = 'Nothing is known: your receiver was not reached'
      return { sentence, details: [capitalize(result.unreached ?? '')] }
    }
    case 'failed': {
      const beside = limits.length === 0 ? [] : ['Beside that, the sender was at its limit', ...limits]
      const failures = findFailures(result, demands).map(capitalize)
      return { sentence: `Your receiver failed at ${load}`, details: [...failures, ...beside] }
    }
    case 'stopped': {
      const [took, whole] = [result.tookMs, result.schedule.durationMs].map(formatDuration)
      const sentence = `Stopped after ${took} of ${whole}: nothing had failed until then`
      return { sentence, details: limits }
    }
    case 'sender-limited': {
      const sentence = `Nothing is known of ${load}: the sender was the limit, not your receiver`
      return { sentence, details: limits }
    }
    case 'effects-unread': {
      const sentence = `Your receiver accepted ${load}, but its effects could not be read`
      return { sentence, details: unreadDetails(result) }
    }
    case 'effects-unseen': {
      const sentence = `Your receiver accepted ${load}; what it did about them was not looked at`
      return { sentence, details: [SHOW_EFFECTS] }
    }
    case 'passed':
      return { sentence: `Your receiver took ${load}, and did what it should`, details: [] }
    default:
      return kind satisfies never
  }
}

const SHOW_EFFECTS =
  'Set effects in the configuration, or --effects, to have its effects compared with what the service says'

function unreadDetails({ comparison }: LoadResult): readonly string[] {
  return comparison.kind === 'unread' ? [comparison.why] : []
}

/** Such as `2000 notifications a second for 60 s`. */
function describeLoad({ schedule: { shape, rate, durationMs } }: Pick<LoadResult, 'schedule'>): string {
  const most = shape === 'steady' ? '' : 'up to '
  return `${most}${rate} notifications a second for ${formatDuration(durationMs)}`
}
