import { afterEach, expect, test } from 'vitest'
import { createStoreLines } from '../../../sandbox/cli/run-node.ts'
import { resolveNodes } from '../../../sandbox/cli/node-options.ts'
import { StorageError } from '../../../sandbox/engine/state/log.ts'

const STORE = 'postgres://user:a-password@db.test/hookbench'

afterEach(() => {
  delete process.env['HOOKBENCH_STORE']
})

test('without a store there are no nodes, and what is for nodes is refused', () => {
  expect(resolveNodes({}, {})).toBeUndefined()
  expect(() => resolveNodes({ node: 'one' }, {})).toThrow('Cannot use --node without --store')
  expect(() => resolveNodes({ lease: 2_000 }, {})).toThrow('Cannot use --lease without --store')
})

test('the option comes before the environment, and that before the configuration', () => {
  const config = { store: 'postgres://config.test/x', node: 'two' }
  expect(resolveNodes({}, config)).toEqual({ store: config.store, node: 'two', leaseMs: 10_000 })
  process.env['HOOKBENCH_STORE'] = STORE
  expect(resolveNodes({ node: 'one', lease: 2_000 }, config)).toEqual({
    store: STORE,
    node: 'one',
    leaseMs: 2_000,
  })
  expect(resolveNodes({ store: 'postgres://flag.test/x' }, config)?.store).toBe('postgres://flag.test/x')
})

test.each([
  [{ store: STORE, memory: true }, 'Cannot keep the worlds in memory and in PostgreSQL'],
  [{ store: STORE, lease: 999 }, 'Cannot use --lease 999ms: it takes at least 1s'],
  [{ store: STORE, node: 'Not A Name' }, 'Cannot use node name "Not A Name"'],
])('what cannot be is refused, and the password is not repeated: %j', (flags, message) => {
  const refused = () => resolveNodes(flags, {})
  expect(refused).toThrow(message)
  expect(refused).not.toThrow('a-password')
})

test('a store that is away is told of once for all worlds, and so is its return; a world that is lost by its name', () => {
  const lines: string[] = []
  const { onStorage } = createStoreLines((line) => lines.push(line))
  const away = new StorageError('away', 'Cannot reach PostgreSQL')
  for (const name of ['a', 'b']) onStorage(away, { name })
  onStorage(undefined, { name: 'a' })
  onStorage(undefined, { name: 'b' })
  onStorage(new StorageError('fenced', 'Node two writes it now'), { name: 'b' })

  expect(lines).toEqual([
    'Cannot reach PostgreSQL; changes are refused and nothing is sent until it is back',
    'The store can be written again: changes are taken, and what is due is sent',
    'World "b" is dropped here: Node two writes it now',
  ])
})
