import { expect, test } from 'vitest'
import { untilClosed } from '../../../contracts/probes/until-closed.ts'
import type { Perform } from '../../../sandbox/internal.ts'

const NOTHING = { path: {}, query: {}, body: undefined } as const

function slowBench() {
  const asked: string[] = []
  const answers: (() => void)[] = []
  const perform: Perform = (id, ..._) =>
    new Promise((__, reject) => {
      asked.push(id)
      answers.push(() => reject(new Error('It failed')))
    })
  return { asked, perform, answer: () => answers.shift()?.() }
}

test('closing the control client waits for calls in flight, including failing calls', async () => {
  const bench = slowBench()
  const { perform, close } = untilClosed(bench.perform)
  const health = perform('getHealth', NOTHING)
  let isClosed = false

  const closing = close().then(() => (isClosed = true))
  await Promise.resolve()
  const before = isClosed
  bench.answer()
  await expect(health).rejects.toThrow('It failed')
  await closing

  expect([before, isClosed]).toEqual([false, true])
})

test('a call after close() does not reach the control API', async () => {
  const bench = slowBench()
  const { perform, close } = untilClosed(bench.perform)

  await close()
  void perform('resetSandbox', NOTHING)

  expect(bench.asked).toEqual([])
})
