import { expect, test } from 'vitest'
import { catalogue } from '../../../contracts/catalogue.ts'
import { judged } from '../../support/judged-receiver.ts'
import { startProgram } from '../../support/receiver-program.ts'

test('the careful receiver passes every check, killed and started again', { timeout: 120_000 }, async () => {
  const { level, results } = await judged({
    checks: catalogue,
    start: (options, folder) => startProgram(options, { folder, defect: undefined }),
  })

  const others = results.filter(({ verdict }) => verdict !== 'passed')
  expect([level, others.map(({ check: { id }, verdict, finding }) => [id, verdict, finding])]).toEqual([
    3,
    [],
  ])
})
