import { expect, test } from 'vitest'
import { catalogue } from '../../../contracts/catalogue.ts'
import type { ReceiverCheck } from '../../../contracts/toolkit/check-context.ts'
import { judged } from '../../support/judged-receiver.ts'
import { IS_COMPLETE, topicOf, WINDOWS } from '../../support/kill-matrix.ts'
import { startProgram } from '../../support/receiver-program.ts'
import { testSeed } from '../../support/test-seed.ts'

const NOT_AUTHORIZED = { readings: { 'unknown-object': 'not-authorized' } }
const UNKNOWN_OBJECTS: ReadonlySet<string> = new Set(['body', 'registration', 'trust'])
/** The default duration of an exploration in milliseconds. */
const EXPLORE_MS = 5_000
const isOfSignatures = ({ needs = [] }: ReceiverCheck) => needs.includes('signature')

const WHOLE = [
  'for signed webhooks',
  { checks: catalogue, secret: 'a-secret-of-32-characters-or-more' },
] as const
/** Variants of the careful receiver. Each variant takes about a minute. */
const OTHERS = [
  ['for unsigned webhooks', { checks: catalogue.filter((check) => !isOfSignatures(check)) }],
  [
    'when the service answers 401 for an unknown object',
    { checks: catalogue.filter(({ id }) => UNKNOWN_OBJECTS.has(topicOf(id))), settings: NOT_AUTHORIZED },
  ],
] as const
const PLANS = IS_COMPLETE ? [WHOLE, ...OTHERS] : [WHOLE]

test.concurrent.each(PLANS)(
  'the correct reference receiver passes every check %s',
  { timeout: 900_000 },
  async (_, plan) => {
    const { level, results } = await judged({
      ...plan,
      settings: {
        exploreMs: EXPLORE_MS,
        seed: testSeed,
        ...('settings' in plan && plan.settings),
        ...WINDOWS,
      },
      start: (options, folder) => startProgram(options, { folder, defect: undefined }),
    })

    const others = results.filter(({ verdict }) => verdict !== 'passed')
    expect([level, others.map(({ check: { id }, verdict, finding }) => [id, verdict, finding])]).toEqual([
      3,
      [],
    ])
  },
)
