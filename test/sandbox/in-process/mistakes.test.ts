import { expect, test } from 'vitest'
import { createSandbox } from '../../../sandbox/index.ts'
import { mswHandlers } from '../../../sandbox/in-process/msw.ts'

const accept = () => new Response(null, { status: 204 })
const misspelt = (name: string) => Object.fromEntries([[name, 1]])

test('every method rejects an unknown option with the nearest name', async () => {
  await using sandbox = await createSandbox({ receivers: { items: accept } })

  await expect(createSandbox(misspelt('sed'))).rejects.toThrow('Did you mean "seed"?')
  await expect(createSandbox({ credentials: misspelt('client_idd') })).rejects.toThrow(
    'Did you mean "client_id"?',
  )
  await expect(sandbox.create('items', misspelt('amout'))).rejects.toThrow('Did you mean "amount"?')
  await expect(sandbox.requests(misspelt('objct_id'))).rejects.toThrow('Did you mean "object_id"?')
  await expect(sandbox.settle(misspelt('timeoutms'))).rejects.toThrow('Did you mean "timeoutMs"?')
  await expect(sandbox.expectDelivery({}, misspelt('timeout'))).rejects.toThrow('Did you mean "timeoutMs"?')
})

/** A function without parameter types, so that a test can pass invalid arguments. */
type Untyped = (...given: readonly unknown[]) => unknown
const untyped =
  (given: unknown): Untyped =>
  (...args) =>
    Reflect.apply(given as () => unknown, undefined, args)

test.each([
  ['create', [5], '"type" takes text, not 5'],
  ['advance', [5], '"by" takes text, not 5'],
  [
    'play',
    ['card-payin', Promise.resolve()],
    '"options" is a Promise. Await the Promise first. Give an object',
  ],
  ['restore', [null], 'The body takes an object, not null'],
  [
    'fetch',
    [new URL('https://service.test')],
    'Cannot call fetch(): "request" is a value of class URL. Give a Request',
  ],
])('%s() rejects %j with the valid values', async (method, given, message) => {
  await using sandbox = await createSandbox()

  await expect(untyped(Reflect.get(sandbox, method))(...given)).rejects.toThrow(message)
})

test('attempts(), mswHandlers() and create() reject an invalid argument and name the argument', async () => {
  await using sandbox = await createSandbox()

  expect(() => untyped(sandbox.attempts)('x')).toThrow('Cannot call attempts(): "job" is "x". Give a job')
  expect(() => untyped(mswHandlers)()).toThrow(
    'Cannot call mswHandlers(): "sandbox" is undefined. Give the sandbox that createSandbox() resolves to',
  )
  await expect(untyped(sandbox.data.items.create)('x')).rejects.toThrow('Cannot seed items: "fields" is "x"')
})

test.each([
  [{ seed: 'abc' }, '"seed" is "abc". Give a whole number'],
  [{ clock: 'fast' }, '"clock" is "fast". Give \'manual\', \'real\', or sandbox seconds'],
  [{ storePath: '' }, '"storePath" is "". Give the path of a file'],
  [{ credentials: { client_secret: 5 } }, '"client_secret" is 5. Give text'],
  ['x', '"options" is "x". Give an object'],
])('createSandbox() rejects %j with the valid values', async (options, message) => {
  await expect(untyped(createSandbox)(options)).rejects.toThrow(message)
})

test.each([undefined, 'ok'])('createSandbox() rejects a receiver that returns %j', async (returned) => {
  const receive = (() => returned) as unknown as () => Response

  await expect(createSandbox({ receivers: { items: receive } })).rejects.toThrow('return a Response, such as')
})

test('every sandbox method rejects its call after close()', async () => {
  const sandbox = await createSandbox({ receivers: { items: accept } })
  await sandbox.create('items')

  await sandbox.close()

  const calls = [
    () => sandbox.play('card-payin'),
    () => sandbox.create('items'),
    () => sandbox.settle(),
    () => sandbox.data.items.create({}),
    () => sandbox.fetch(new Request('https://service.test/items/x')),
  ]
  for (const call of calls)
    await expect(call()).rejects.toThrow('Cannot use the sandbox: the sandbox is closed')
  expect(sandbox.jobs()).toHaveLength(1)
  await sandbox.close()
})

test('deliver() sends a notification to the receiver of its object type, and registrations() lists this receiver', async () => {
  const taken: string[] = []
  const take = (name: string) => async (request: Request) => {
    taken.push(`${name} ${await request.text()}`)
    return accept()
  }
  await using sandbox = await createSandbox({
    receivers: {
      transactions: { webhooks: take('webhook'), callbacks: take('callback') },
      companies: { callbacks: take('company') },
    },
  })
  taken.length = 0

  await sandbox.deliver({ to: 'transactions', raw: 'a' })
  await sandbox.deliver({ to: 'transactions', generation: 'callbacks', raw: 'b' })
  const { url, registration_id } = await sandbox.deliver({ to: 'companies', raw: 'c' })

  const registrations = await sandbox.registrations()
  expect(taken).toEqual(['webhook a', 'callback b', 'company c'])
  expect(
    registrations.map(({ generation, object_type }) => `${generation} ${object_type}`).toSorted(),
  ).toEqual(['callbacks companies', 'callbacks transactions', 'webhooks transactions'])
  expect(registrations).toContainEqual(expect.objectContaining({ id: registration_id, url }))
  await expect(sandbox.deliver({ to: 'items', raw: '' })).rejects.toThrow(
    'Cannot deliver to the receiver of "items": no such receiver is registered. The registered receivers are webhooks of transactions',
  )
})
