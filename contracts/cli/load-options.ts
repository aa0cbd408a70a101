import { isNotifiedType, notifiedTypes } from '../../spec/notifications.ts'
import { parseDuration } from '../../spec/readings.ts'
import { correctSpelling } from '../../spec/nearest.ts'
import { UsageError, wholeNumber } from '../../sandbox/internal.ts'
import type { Shape } from '../load/schedule.ts'
import type { ShareWish } from '../load/shares.ts'
import { parseKind } from '../toolkit/rehearsal-plan.ts'

export interface LoadFlags {
  readonly rate?: string
  readonly for?: string
  readonly shape?: Shape
  readonly mix?: readonly string[]
  readonly payments?: readonly string[]
  readonly connections?: string
  readonly compare?: string
  readonly maxP99?: string
}

const [RATE, MOST_RATE] = [100, 100_000]
const [DURATION_MS, LEAST_DURATION_MS, MOST_DURATION_MS] = [10_000, 100, 86_400_000]
const [CONNECTIONS, MOST_CONNECTIONS] = [512, 65_535]
const MOST_WEIGHT = 10_000

/** Throws UsageError with a remedy. */
export function parseLoad(flags: LoadFlags) {
  const { rate, shape = 'steady', connections, compare } = flags
  return {
    schedule: {
      shape,
      rate: rate === undefined ? RATE : wholeNumber('--rate', rate, { least: 1, most: MOST_RATE }),
      durationMs: parseLength(flags.for),
    },
    shares: [
      ...parseWeights('--mix', flags.mix).map(toObjectShare),
      ...parseWeights('--payments', flags.payments).map(toPaymentShare),
    ],
    connections:
      connections === undefined
        ? CONNECTIONS
        : wholeNumber('--connections', connections, { least: 1, most: MOST_CONNECTIONS }),
    compare: parseCompared(compare),
  }
}

/** Returns the maximum 99th percentile in milliseconds. Throws UsageError. */
export function parseMaxP99({ maxP99 }: Pick<LoadFlags, 'maxP99'>): number | undefined {
  return maxP99 === undefined ? undefined : wholeNumber('--max-p99', maxP99, { least: 1, most: 3_600_000 })
}

function parseLength(text: string | undefined): number {
  if (text === undefined) return DURATION_MS
  const durationMs = parseDuration(text)
  if (durationMs !== undefined && durationMs >= LEAST_DURATION_MS && durationMs <= MOST_DURATION_MS)
    return durationMs
  throw new UsageError(
    `Cannot use --for "${text}": it takes a duration from 100ms to 24h, such as 60s or 10m`,
  )
}

function parseCompared(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (text === 'all') return Number.MAX_SAFE_INTEGER
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError(`Cannot use --compare "${text}": it takes a number of objects, or "all"`)
}

interface Weight {
  readonly name: string
  readonly weight: number
}

/** Parses `items=3,users` into `items` with 3 and `users` with 1. */
function parseWeights(flag: string, given: readonly string[] = []): readonly Weight[] {
  const words = given.flatMap((text) => text.split(',')).map((word) => word.trim())
  return words.map((word) => {
    const [, name, weight = '1'] = /^([a-z_:-]+)(?:=([1-9]\d*))?$/.exec(word) ?? []
    if (name !== undefined && Number(weight) <= MOST_WEIGHT) return { name, weight: Number(weight) }
    const example = flag === '--mix' ? 'items=3,transactions=1' : 'card-payin=2,npp-payin=1'
    throw new UsageError(
      `Cannot use ${flag} "${word}": it takes names with weights from 1 to ${MOST_WEIGHT}, such as ${example}`,
    )
  })
}

function toObjectShare({ name, weight }: Weight): ShareWish {
  if (isNotifiedType(name)) return { weight, of: { type: name } }
  const meant = correctSpelling(name, notifiedTypes)
  const question = meant === undefined ? '; the' : `. Did you mean "${meant}"? The`
  throw new UsageError(
    `Cannot use --mix "${name}": unknown type${question} types are ${notifiedTypes.join(', ')}`,
  )
}

/** The form `direct-debit-payin:failed_direct_debit` names an outcome. */
function toPaymentShare({ name, weight }: Weight): ShareWish {
  const [kind = '', outcome] = name.split(':')
  return { weight, of: { kind: parseKind(kind), ...(outcome !== undefined && { outcome }) } }
}
