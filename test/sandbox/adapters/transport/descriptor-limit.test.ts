import { expect, test } from 'vitest'
import { maxConcurrentDeliveries } from '../../../../sandbox/adapters/transport/descriptor-limit.ts'

test.each([
  [64, 16],
  [1_024, 736],
  [1_048_576, 1_048_288],
  [1, 1],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
])('maxConcurrentDeliveries() converts a limit of %d file descriptors to %d deliveries', (limit, most) => {
  expect(maxConcurrentDeliveries(limit)).toBe(most)
})
