import { expect, test } from 'vitest'
import { catalogue } from '../../../contracts/catalogue.ts'
import { judged } from '../../support/judged-receiver.ts'
import { startProgram } from '../../support/receiver-program.ts'

test.each([
  ['unsigned', undefined],
  ['signed', 'a-secret-of-32-characters-or-more'],
])('the careful receiver passes every check of %s webhooks', { timeout: 120_000 }, async (_, secret) => {
  const { level, results } = await judged({
    checks: catalogue,
    secret,
    start: (options, folder) => startProgram(options, { folder, defect: undefined }),
  })

  const others = results.filter(({ verdict }) => verdict !== 'passed')
  expect([level, others.map(({ check: { id }, verdict, finding }) => [id, verdict, finding])]).toEqual([
    3,
    [],
  ])
})
