import { expect, test } from 'vitest'
import { idempotencyChecks } from '../../../contracts/checks/idempotency/index.ts'
import { orderChecks } from '../../../contracts/checks/order/index.ts'
import { trustChecks } from '../../../contracts/checks/trust/index.ts'
import { recoveryChecks } from '../../../contracts/checks/recovery/recovery.ts'
import { careful } from '../support/careful.ts'
import { fakeBench } from '../support/fake-bench.ts'

test.each([...idempotencyChecks, ...orderChecks, ...trustChecks, ...recoveryChecks])('$id', async (check) => {
  const bench = await fakeBench({ receive: careful, profile: { source: { kind: 'loopback' } } })
  const start = performance.now()
  const finding = await check.run(bench)
  console.log(check.id, Math.round(performance.now() - start), JSON.stringify(finding))
  expect(finding.kind).toBe('passed')
})
