import { expect, test } from 'vitest'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { createStore } from '../../../../sandbox/engine/state/store.ts'
import { createRemoteLog } from '../../../support/remote-log.ts'

const clockAt = (at: number): Entry => ({ head: { kind: 'clock', at }, body: '' })
const turn = () => new Promise((resolve) => setImmediate(resolve))

function openStore(soon: (run: () => void) => void = queueMicrotask) {
  const remote = createRemoteLog()
  const store = createStore(remote.log, soon)
  const [heard, settled]: [number[], string[]] = [[], []]
  store.subscribe(({ at }) => heard.push(at))
  const commit = (at: number, outlived: 'process' | 'machine' = 'machine') => {
    const told = (how: string) => void settled.push(`${at} ${how}`)
    store.commit([clockAt(at)], outlived).then(
      () => told('kept'),
      (error: Error & { readonly kind?: string }) => told(error.kind ?? error.message),
    )
    return turn()
  }
  return { remote, store, heard, settled, commit }
}

test('what only has to outlive the process waits for a remote log, too', async () => {
  const { remote, heard, settled, commit } = openStore()

  await commit(1, 'process')
  const before = [...settled, ...heard]
  await remote.answer()

  expect([before, settled, heard]).toEqual([[], ['1 kept'], [1]])
})

test('one batch is under way, and what comes meanwhile is the next one', async () => {
  const { remote, settled, commit } = openStore()
  for (const at of [1, 2, 3]) await commit(at)
  const first = remote.waiting

  await remote.answer()
  const second = remote.waiting
  await remote.answer()

  expect([first, second, settled]).toEqual([[1], [2], ['1 kept', '2 kept', '3 kept']])
})

test('what those commit at once who waited goes with what came meanwhile, and not after it', async () => {
  const { remote, store, settled, commit } = openStore(setImmediate)
  void store
    .commit([clockAt(1)])
    .then(() => 3)
    .then((at) => commit(at))
  await turn()
  await commit(2)

  await remote.answer()
  await turn()
  const second = remote.waiting
  await remote.answer()

  expect([second, settled]).toEqual([[2], ['2 kept', '3 kept']])
})

test('what was refused as a remote log went away is not seen any more, and does not come back', async () => {
  const { remote, store, heard, settled, commit } = openStore()
  await commit(1)
  await remote.answer()
  await commit(2)
  await commit(3)
  const seen = store.latestAt()

  await remote.goAway()
  await commit(4)
  const meanwhile = [store.latestAt(), store.length, store.problem?.kind]
  await remote.comeBack()
  await commit(5)
  await remote.answer()

  expect([seen, meanwhile]).toEqual([3, [1, 1, 'away']])
  expect(settled.toSorted()).toEqual(['1 kept', '2 away', '3 away', '4 away', '5 kept'])
  expect([heard, store.latestAt(), store.problem]).toEqual([[1, 5], 5, undefined])
})

test('what was under way and was kept is taken in when a remote log is back, and is heard of', async () => {
  const { remote, store, heard, settled, commit } = openStore()
  await commit(1)
  await commit(2)

  await remote.goAway({ isCarriedOut: true })
  const meanwhile = [store.latestAt(), store.length]
  await remote.comeBack()

  expect([meanwhile, settled.toSorted()]).toEqual([
    [0, 0],
    ['1 away', '2 away'],
  ])
  expect([heard, store.latestAt(), store.length]).toEqual([[1], 1, 1])
})

test('a remote log takes others in place of all when they are kept elsewhere, and what comes meanwhile goes with the rest', async () => {
  const { remote, store, heard, settled, commit } = openStore()
  await commit(1)
  const staged = store.stage()
  staged.add([clockAt(10)])
  let published = 0

  const publishing = staged.publish(() => published++)
  await turn()
  const before = remote.waiting
  await remote.answer()
  await turn()
  const sent = remote.waiting
  await commit(2)
  const meanwhile = [store.latestAt(), published, ...settled]
  await remote.answer()
  await publishing

  expect([before, sent, meanwhile]).toEqual([[1], ['others'], [2, 0, '1 kept']])
  expect([store.latestAt(), published, settled, heard]).toEqual([10, 1, ['1 kept', '2 kept'], [1]])
  await commit(11)
  await remote.answer()
  expect(remote.kept.map(({ head }) => head.at)).toEqual([10, 11])
})

test('everything is as it was where others could not take its place', async () => {
  const { remote, store, settled, commit } = openStore()
  await commit(1)
  await remote.answer()
  const staged = store.stage()
  staged.add([clockAt(10)])
  let published = 0
  const publishing = staged.publish(() => published++)
  await turn()
  await commit(2)

  const refused = publishing.catch((error: Error) => error.message)
  await remote.goAway()

  expect(await refused).toBe('Cannot reach the log')
  await remote.comeBack()
  await commit(3)
  await remote.answer()
  expect([published, store.latestAt(), settled]).toEqual([0, 3, ['1 kept', '2 away', '3 kept']])
})
