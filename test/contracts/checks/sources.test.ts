import { expect, test } from 'vitest'
import { idempotencyChecks } from '../../../contracts/checks/idempotency/index.ts'
import { orderChecks } from '../../../contracts/checks/order/index.ts'
import { recoveryChecks } from '../../../contracts/checks/recovery/recovery.ts'
import { trustChecks } from '../../../contracts/checks/trust/index.ts'
import { PROMISES } from '../../../spec/generated/promises.ts'
import { readings as known } from '../../../spec/readings.ts'

const checks = [...idempotencyChecks, ...orderChecks, ...trustChecks, ...recoveryChecks]

test.each(checks)('$id rests on lines that promise something', ({ lines }) => {
  expect(lines.filter((line) => !Object.hasOwn(PROMISES, line))).toEqual([])
})

test.each(checks)('$id rests on readings that there are', ({ readings = [] }) => {
  expect(known.map(({ id }) => id)).toEqual(expect.arrayContaining([...readings]))
})

test('no two checks have the same id', () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
})
