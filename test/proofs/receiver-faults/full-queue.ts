import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import type { FaultyReceiver } from './row.ts'
import type { Stage } from './stage.ts'

/** Listens, and never takes up a connection: its process stands still. */
const STANDING_STILL = `
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`

/** More than its queue holds. */
const WAITING = 8

/** A port whose queue of connections is full: the system drops what comes, as a firewall does, without a word. */
export async function openFullQueue(stage: Stage): Promise<FaultyReceiver> {
  const child = spawn(process.execPath, ['-e', STANDING_STILL], { stdio: ['ignore', 'pipe', 'inherit'] })
  stage.onClose(() => child.kill('SIGKILL'))
  const [printed] = await once(child.stdout, 'data')
  const port = Number(String(printed))

  const sockets = Array.from({ length: WAITING }, () => net.connect({ host: '127.0.0.1', port }))
  for (const socket of sockets) socket.on('error', () => undefined)
  stage.onClose(() => {
    for (const socket of sockets) socket.destroy()
  })
  // All have asked at once: when the first is in, the others have filled the queue or were dropped.
  await Promise.race(sockets.map((socket) => once(socket, 'connect')))
  return { url: `https://127.0.0.1:${port}/hooks/7d1c` }
}
