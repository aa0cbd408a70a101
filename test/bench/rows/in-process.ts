import { startChild } from '../children.ts'
import type { Row } from '../row.ts'

async function ask(message: object): Promise<number> {
  const child = await startChild('in-process')
  try {
    return (await child.ask<{ took: number }>(message)).took
  } finally {
    await child.end()
  }
}

export const CREATE_SANDBOX: Row = {
  id: 'create-sandbox',
  what: '`createSandbox()` in a test, warm, to its first answer',
  unit: 'ms',
  better: 'less',
  bar: 3,
  goal: 1.5,
  instead: 'a mock of the service by hand',
  async measure() {
    const value = await ask({ do: 'create' })
    return { value, detail: 'median of 30, after 30 others' }
  },
}

export const LOOK_UP: Row = {
  id: 'look-up',
  what: 'look-up in `sandbox.data` by id with 100,000 objects ÷ with 100',
  unit: '',
  better: 'less',
  bar: 1.2,
  instead: 'an array of fixtures',
  profile: `2.3 to 5 µs against 0.8 to 1.4: what remains is memory outside the processor's cache; a bare Map of 100,000 texts is a hundred times slower than one of 100 in the same minute.`,
  async measure() {
    const many = await ask({ do: 'look-up', objects: 100_000 })
    const few = await ask({ do: 'look-up', objects: 100 })
    return { value: many / few, detail: `${many.toFixed(1)} µs against ${few.toFixed(1)}` }
  },
}
