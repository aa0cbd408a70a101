import { startChild } from '../children.ts'
import type { Row } from '../row.ts'

export const CREATE_SANDBOX: Row = {
  id: 'create-sandbox',
  what: '`createSandbox()` in a test, warm, to its first answer',
  unit: 'ms',
  better: 'less',
  bar: 3,
  goal: 1.5,
  instead: 'a mock of the service by hand',
  async measure() {
    const child = await startChild('in-process')
    try {
      const { took } = await child.ask<{ took: number }>({})
      return { value: took, detail: 'median of 30, after 30 others' }
    } finally {
      await child.end()
    }
  },
}
