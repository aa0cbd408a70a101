import { expect, test } from 'vitest'
import { useProcessShop } from './process-shop.ts'

async function open(shop: ReturnType<typeof useProcessShop>) {
  const up = await shop.up()
  const receiver = await shop.receiver()
  await shop.register(receiver.url)
  return { up, receiver }
}

test('SIGTERM with 50 deliveries in flight exits with 0, and the next start sends the deliveries again', async () => {
  const shop = useProcessShop()
  const { up, receiver } = await open(shop)
  receiver.answers.push(...Array.from({ length: 50 }, () => 'never' as const))
  await shop.create(50)
  await expect.poll(() => receiver.received.length).toBe(51)

  expect(await up.end('SIGTERM')).toBe(0)
  await shop.up()
  await shop.settle()

  expect(await shop.ends()).toEqual(Array.from({ length: 50 }, () => ['interrupted', 204]))
  expect(receiver.received.length).toBe(101)
})

test('a registration is not stored when SIGINT interrupts its test POST', async () => {
  const shop = useProcessShop()
  const up = await shop.up()
  const receiver = await shop.receiver()
  receiver.answers.push('never')
  const registering = shop.register(receiver.url).catch((error: unknown) => error)
  await expect.poll(() => receiver.received.length).toBe(1)

  expect(await up.end('SIGINT')).toBe(0)
  expect(await registering).toBeInstanceOf(Error)
  await shop.up()

  expect(await shop.perform('listRegistrations')).toEqual({ registrations: [] })
  expect(receiver.received.length).toBe(1)
})

test('deliveries are postponed but do not fail when the process has no free file descriptors', async () => {
  const shop = useProcessShop({}, ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh'])
  const { receiver } = await open(shop)
  const answer = Promise.withResolvers<number>()
  receiver.answers.push(...Array.from({ length: 100 }, () => answer.promise))

  for (let count = 0; count < 100; count++) await shop.create(1)
  const calls = Array.from({ length: 10 }, () => shop.perform('getClock'))
  expect(await Promise.all(calls)).toHaveLength(10)
  answer.resolve(200)
  await shop.settle()

  expect(await shop.ends()).toEqual(Array.from({ length: 100 }, () => [200]))
})

test('a process with 48 MB of heap delivers hundreds of notifications', async () => {
  const shop = useProcessShop({ NODE_OPTIONS: '--max-old-space-size=48' })
  const { receiver } = await open(shop)

  for (let batch = 0; batch < 5; batch++) await shop.create(100)
  await shop.settle()

  expect(new Set(receiver.received).size).toBe(501)
})

test('notifications and checks work when Node disables __proto__', async () => {
  const shop = useProcessShop({ NODE_OPTIONS: '--disable-proto=throw' })
  await open(shop)
  await shop.create(1)
  await shop.settle()

  const { code, stdout } = await shop.run('check', 'http/small-answers', '--attach')

  expect([await shop.ends(), code, stdout]).toEqual([[[204]], 0, expect.stringContaining('1 passed')])
})

test('an unhandled rejection ends the process with an error and loses no due job', async () => {
  const planted = `process.on('SIGUSR2', () => void Promise.reject(new Error('Planted')))`
  const shop = useProcessShop({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(planted)}`,
  })
  const { up, receiver } = await open(shop)
  receiver.answers.push(...Array.from({ length: 5 }, () => 'never' as const))
  await shop.create(5)
  await expect.poll(() => receiver.received.length).toBe(6)

  expect(await up.end('SIGUSR2')).toBe(1)
  await shop.up()
  await shop.settle()

  expect(await shop.ends()).toEqual(Array.from({ length: 5 }, () => ['interrupted', 204]))
})
