import { once } from 'node:events'
import net from 'node:net'
import { expect, test } from 'vitest'
import { canConnect, untilRestarted } from '../../../contracts/probes/until-closed.ts'

test('untilRestarted() waits until nothing listens, and then until something does', async () => {
  const answers = [true, true, false, false, true, true]

  await untilRestarted('https://localhost:9443/hooks', () => Promise.resolve(answers.shift() ?? false))

  expect(answers).toEqual([true])
})

test('canConnect() is true while something listens', async () => {
  const server = net.createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hooks`

  const before = await canConnect(url)
  server.close()
  await once(server, 'close')

  expect([before, await canConnect(url)]).toEqual([true, false])
})
