import { expect, test } from 'vitest'
import { PASSED } from '../../contracts/finding.ts'
import { startReceiver, type ReceiverOptions } from '../receivers/receiver.ts'
import type { ReceiverCheck } from '../../contracts/toolkit/check-context.ts'
import { expectEffects, sendAll } from '../../contracts/toolkit/expectations.ts'
import { expectedEffect } from '../../contracts/toolkit/expected-effect.ts'
import { judged, type Platform } from '../support/judged-receiver.ts'

const oneEffect: ReceiverCheck = {
  id: 'idempotency/one-effect',
  severity: 'must',
  requirement: 'The receiver acts once.',
  lines: [297],
  needs: ['effects'],
  meaning: 'Goods are released twice.',
  remedy: 'Act once.',
  async run(context) {
    const payment = await expectedEffect(context)
    if (!payment) return PASSED
    await sendAll(context, [...payment.before, payment.message])
    return (await expectEffects(context, payment.target, { effects: 1, because: 'it succeeded' })) ?? PASSED
  },
}

async function startCounting(
  options: ReceiverOptions,
  count: (effects: number) => number,
): Promise<Platform> {
  const receiver = await startReceiver(options)
  const readEffects = (type: string, id: string) => {
    const { effects, ...state } = receiver.processor.readEffects(type, id)
    return { ...state, effects: count(effects) }
  }
  return { ...receiver, core: { readEffects } }
}

test('a passed check fails at the end of the run when a second effect appears late', async () => {
  let reads = 0
  const { results } = await judged({
    checks: [oneEffect],
    // The run measures the effect delay with the first three reads that return an effect. Later reads return a second effect.
    start: (options) => startCounting(options, (effects) => (effects > 0 && ++reads > 3 ? 2 : effects)),
  })

  expect(
    results.map(({ verdict, finding }) => [verdict, finding && 'symptom' in finding && finding.symptom]),
  ).toEqual([['failed', 'repeated-effect']])
})

test('a passed check stays passed when the effects page restarts its counts', async () => {
  let reads = 0
  const { results } = await judged({
    checks: [oneEffect],
    start: (options) => startCounting(options, (effects) => (effects > 0 && ++reads > 3 ? 0 : effects)),
  })

  expect(results.map(({ verdict }) => verdict)).toEqual(['passed'])
})
