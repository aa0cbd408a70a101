import { expect, test } from 'vitest'
import { releaseBytes } from '../../../../sandbox/engine/core/release-bytes.ts'

test('bytes that are released are gone, but not those that share their memory with others', () => {
  const [own, memory] = [new Uint8Array(8), new Uint8Array(8).fill(1)]
  const shared = memory.subarray(0, 4)

  releaseBytes(own)
  releaseBytes(shared)

  expect([own.length, shared.length, memory.length]).toEqual([0, 4, 8])
})
