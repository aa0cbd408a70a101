import { expect, test } from 'vitest'
import { catalogue } from '../../../contracts/catalogue.ts'
import type { ReceiverCheck } from '../../../contracts/toolkit/check-context.ts'
import { judged } from '../../support/judged-receiver.ts'
import { startProgram } from '../../support/receiver-program.ts'

const isOfSignatures = ({ needs = [] }: ReceiverCheck) => needs.includes('signature')

test.concurrent.each([
  ['signed', { checks: catalogue, secret: 'a-secret-of-32-characters-or-more' }],
  ['unsigned', { checks: catalogue.filter((check) => !isOfSignatures(check)) }],
])('the careful receiver passes every check of %s webhooks', { timeout: 120_000 }, async (_, plan) => {
  const { level, results } = await judged({
    ...plan,
    start: (options, folder) => startProgram(options, { folder, defect: undefined }),
  })

  const others = results.filter(({ verdict }) => verdict !== 'passed')
  expect([level, others.map(({ check: { id }, verdict, finding }) => [id, verdict, finding])]).toEqual([
    3,
    [],
  ])
})
