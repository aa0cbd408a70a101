import { expect, test } from 'vitest'
import { canConnect, untilClosed, untilRestarted } from '../../../contracts/probes/until-closed.ts'
import type { Perform } from '../../../sandbox/internal.ts'
import { serveHttp } from '../../support/scripted-server.ts'

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

test('untilRestarted() waits until the listener stops and starts again', async () => {
  const answers = [true, true, false, false, true, true]

  await untilRestarted('https://localhost:9443/hooks', () => Promise.resolve(answers.shift() ?? false))

  expect(answers).toEqual([true])
})

test('canConnect() returns true while a server listens', async () => {
  const server = await serveHttp(() => {})
  const url = `https://127.0.0.1:${server.port}/hooks`

  const before = await canConnect(url)
  await server.close()

  expect([before, await canConnect(url)]).toEqual([true, false])
})
