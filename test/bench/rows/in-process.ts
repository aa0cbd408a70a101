import { startChild } from '../children.ts'
import type { Row } from '../row.ts'

export const CREATE_SANDBOX: Row = {
  id: 'create-sandbox',
  what: 'the time from a warm `createSandbox()` call in a test to the first response of the sandbox',
  unit: 'ms',
  better: 'less',
  bar: 3,
  goal: 1.5,
  instead: 'a handwritten mock of the service',
  async measure() {
    const child = await startChild('in-process')
    try {
      const { took } = await child.ask<{ took: number }>({})
      return { value: took, detail: 'the median of 30 calls, after 30 warm-up calls' }
    } finally {
      await child.end()
    }
  },
}
