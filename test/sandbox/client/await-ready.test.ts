import { expect, test } from 'vitest'
import { awaitReady } from '../../../sandbox/client/await-ready.ts'
import { RefusedError } from '../../../sandbox/client/requests.ts'
import { UnreachableError } from '../../../sandbox/client/unreachable.ts'

const ADDRESS = { url: 'http://bench.test', token: '' }
const HEALTH = { status: 'ready', service_url: 'http://service.test' }

function none(): never {
  const how = { code: 'no_sandbox', state: 'none runs', hint: 'start one' } as const
  throw new UnreachableError('find a sandbox', how)
}

/** Time that passes only by waiting, and a sandbox that is asked in it. */
function world(...answers: readonly (() => Response)[]) {
  let now = 0
  const left = [...answers]
  return {
    elapsed: () => now,
    pause: async (delayMs: number) => {
      now += delayMs
    },
    through: (async () => left.shift()?.()) as unknown as typeof fetch,
  }
}

test('awaitReady() waits for a data folder with a run, and for an answer', async () => {
  const found = [none, none, () => ADDRESS, () => ADDRESS]
  const ports = world(
    () => {
      throw new TypeError('fetch failed')
    },
    () => Response.json(HEALTH),
  )

  const ready = await awaitReady(() => (found.shift() ?? none)(), 10_000, ports)

  expect([ready, ports.elapsed()]).toEqual([{ bench_url: ADDRESS.url, health: HEALTH }, 300])
})

test('awaitReady() waits for a sandbox that answers and takes no changes, and says why it takes none', async () => {
  const full = { ...HEALTH, status: 'storage_full', ready: false, reason: 'The disk is full' }
  const unready = () => Response.json(full)
  const ports = world(unready, unready, () => Response.json({ ...HEALTH, ready: true }))
  const waiting = awaitReady(() => ADDRESS, 100, world(unready, unready))

  const { health } = await awaitReady(() => ADDRESS, 10_000, ports)

  expect([health.ready, ports.elapsed()]).toEqual([true, 200])
  await expect(waiting).rejects.toThrow(
    'Cannot wait longer than 0.1 s for a sandbox: The disk is full; make room on the disk of its data folder',
  )
})

test('awaitReady() does not advise to make room where that does not help', async () => {
  const gone = { ...HEALTH, status: 'storage_gone', ready: false, reason: 'The store is gone' }
  const unready = () => Response.json(gone)

  const waiting = awaitReady(() => ADDRESS, 100, world(unready, unready))

  await expect(waiting).rejects.toThrow('The store is gone; end the sandbox and start it again')
})

test('awaitReady() says what is still so, and what to do, when the time is over', async () => {
  const ports = world()

  const waiting = awaitReady(none, 250, ports)

  await expect(waiting).rejects.toMatchObject({
    name: 'UnreachableError',
    code: 'not_ready',
    message: 'Cannot wait longer than 0.25 s for a sandbox: none runs; start one',
  })
  expect(ports.elapsed()).toBe(250)
})

test('awaitReady() does not wait where it is refused', async () => {
  const error = { code: 'forbidden', message: 'Cannot serve this host' }
  const ports = world(() => Response.json({ error }, { status: 403 }))

  await expect(awaitReady(() => ADDRESS, 1_000, ports)).rejects.toThrow(RefusedError)
})
