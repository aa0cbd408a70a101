import { expect, test } from 'vitest'
import { testSeed } from '../../support/test-seed.ts'
import { keepSeed, regressionSeeds } from '../results.ts'
import { RUN_DAYS, type Run } from './run.ts'
import { formatFailedSeed, trySeed } from './variants.ts'
import { START } from './world/incarnation.ts'

const SEEDS = 200
const DAY_MS = 24 * 3_600_000

const OCCURRENCES = [
  'saved: done',
  'saved: done, interrupted',
  'saved: interrupted',
  'empty: done',
  'empty: interrupted',
  'checkpoint',
  'sync-failed',
  'killed',
  'power-lost',
  'closed',
  'refused',
  'payment',
  'retried',
  'interrupted',
]
const LISTS = ['failed-jobs', 'jobs', 'job', 'callback-responses', 'webhooks', 'shown', 'control-failed']

test(
  `every invariant holds after any actions and kills (${SEEDS} seeds of ${RUN_DAYS} days)`,
  { timeout: 300_000 },
  async () => {
    const failures: string[] = []
    const seen = new Set<string>()
    const lengths: number[] = []
    const drawn = Array.from({ length: SEEDS }, (_, index) => testSeed + index)
    for (const seed of [...regressionSeeds('simulation'), ...drawn]) {
      const failed = await trySeed(seed, (done) => {
        for (const what of occurrencesIn(done)) seen.add(what)
        lengths.push(done.endedAt - START)
      })
      if (!failed) continue
      keepSeed('simulation', seed)
      failures.push(formatFailedSeed(failed))
    }

    expect(failures.join('\n')).toBe('')
    expect([...OCCURRENCES, ...LISTS].filter((what) => !seen.has(what))).toEqual([])
    expect([lengths.length, Math.min(...lengths) > RUN_DAYS * DAY_MS]).toEqual([
      SEEDS + regressionSeeds('simulation').length,
      true,
    ])
  },
)

function occurrencesIn({ history, model }: Run): readonly string[] {
  const { jobs, payments } = model
  const hasInterruptedAttempt = jobs.some(({ attempts }) =>
    attempts.some(({ head }) => head.reason === 'interrupted'),
  )
  return [
    ...history.crashes.map(({ kind }) => kind),
    ...history.listings.map(({ list }) => list),
    ...(history.calls.some(({ answer }) => answer?.status === 409) ? ['refused'] : []),
    ...(payments.size > 0 ? ['payment'] : []),
    ...(jobs.some(({ attempts }) => attempts.length > 2) ? ['retried'] : []),
    ...history.replacements.map(
      ({ successor, isDone, isInterrupted }) =>
        `${successor}: ${[...(isDone ? ['done'] : []), ...(isInterrupted ? ['interrupted'] : [])].join(', ')}`,
    ),
    ...(history.checkpoints.length > 0 ? ['checkpoint'] : []),
    ...(history.failedSyncs.length > 0 ? ['sync-failed'] : []),
    ...(hasInterruptedAttempt ? ['interrupted'] : []),
  ]
}
