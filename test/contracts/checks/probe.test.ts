import { expect, test } from 'vitest'
import { idempotencyChecks } from '../../../contracts/checks/idempotency.ts'
import { orderChecks } from '../../../contracts/checks/order.ts'
import { trustChecks } from '../../../contracts/checks/trust.ts'
import { recoveryChecks } from '../../../contracts/checks/recovery.ts'
import { careful } from '../support/careful.ts'
import { fakeBench } from '../support/fake-bench.ts'

test.each([...idempotencyChecks, ...orderChecks, ...trustChecks, ...recoveryChecks])('$id', async (check) => {
  const bench = await fakeBench({ receive: careful, profile: { source: { kind: 'loopback' } } })
  const start = performance.now()
  const finding = await check.run(bench)
  console.log(check.id, Math.round(performance.now() - start), JSON.stringify(finding))
  expect(finding.kind).toBe('passed')
})
