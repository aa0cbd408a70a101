import { expect, test } from 'vitest'
import { canConnect, untilRestarted } from '../../../contracts/probes/until-closed.ts'
import { serveHttp } from '../../support/scripted-server.ts'

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
