import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { createEgress } from '../../../../sandbox/engine/delivery/egress.ts'
import { message, openTransport, summary } from '../../../support/transport.ts'

/** Resets each connection when it is told to, and says when it has. */
const RECEIVER = `
const { createServer } = require('node:net')
const { parentPort, workerData } = require('node:worker_threads')
const server = createServer((socket) => {
  Atomics.wait(workerData, 0, 0)
  socket.resetAndDestroy()
  Atomics.store(workerData, 1, 1)
  Atomics.notify(workerData, 1)
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

test('post() records a reset when it comes between the connection and the handshake', async () => {
  const turns = new Int32Array(new SharedArrayBuffer(8))
  const receiver = new Worker(RECEIVER, { eval: true, workerData: turns })
  onTestFinished(() => void receiver.terminate())
  const [port] = (await once(receiver, 'message')) as [number]
  const egress = createEgress({ allowTargets: [], ownPorts: () => [] })
  let judged = 0
  const transport = openTransport('', {
    egress: {
      ...egress,
      // Before it connects, and when it has: from there to the handshake nothing of the network is read.
      judgeAddress(...target) {
        judged += 1
        if (judged > 1) {
          Atomics.store(turns, 0, 1)
          Atomics.notify(turns, 0)
          Atomics.wait(turns, 1, 0)
        }
        return egress.judgeAddress(...target)
      },
    },
  })

  const exchange = await transport.post(message(`https://127.0.0.1:${port}/`), 60_000)

  expect([summary(exchange), judged > 1]).toEqual(['reset', true])
})
