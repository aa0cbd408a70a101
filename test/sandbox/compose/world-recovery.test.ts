import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRecoveryFile } from '../../../sandbox/adapters/kept-world-place.ts'
import type { Judge, PlannedRun } from '../../../sandbox/api/control/judge.ts'
import { recoverWorld, withWorldRecovery } from '../../../sandbox/compose/world-recovery.ts'
import { serveSandbox } from '../../../sandbox/compose/serve-sandbox.ts'
import { defaultSettings } from '../../../sandbox/engine/core/settings.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { readSnapshotLines, toSnapshotLines } from '../../support/json-bodies.ts'
import { testSandbox } from '../../support/test-sandbox.ts'
import { createFailingDisk } from '../../support/stores.ts'
import { createWorldTransports } from '../../../sandbox/compose/world-sharing.ts'
import type { Exchange, HttpMessage } from '../../../sandbox/engine/core/ports.ts'

const OUTCOME = { conclusion: 'passed', headline: 'Nothing failed', rehearsal: null, report: {} } as const

const PORTS = { onProgress: () => {}, signal: new AbortController().signal }

const PLACE = { benchUrl: '', benchToken: '', keepsWorld: true }

/** Opens a sandbox with an item and a simulated check run. The check run resets the sandbox and then calls `run`. */
async function open(run: (disk: ReturnType<typeof createFailingDisk>) => ReturnType<PlannedRun['run']>) {
  const path = join(temporaryFolder(), 'store.sqlite.recovery')
  const disk = createFailingDisk()
  const sandbox = testSandbox({ store: disk.open() })
  const { perform, store } = sandbox
  const { id } = await perform('createObject', { path: { type: 'items' }, body: {} })
  const file = createRecoveryFile(path)
  const { snapshots } = sandbox
  const ports = { file, snapshots, store, onError: () => {} }
  const planned = async () => ({
    about: 'a test',
    async run() {
      await perform('resetSandbox')
      return run(disk)
    },
  })
  const preview = async () => {
    throw new Error('Nothing asks for a preview here')
  }
  const judge: Judge = { checks: () => [], rehearse: planned, preview, check: planned }
  const { run: judged } = await withWorldRecovery(judge, ports).check({}, PLACE)
  const hasItem = () =>
    perform('getObject', { path: { type: 'items', id } }).then(
      () => true,
      () => false,
    )
  return { path, ports, perform, judged, hasItem, disk, sandbox }
}

test('a finished run restores the world and removes its private file', async () => {
  let mode = 0
  const { path, judged, hasItem } = await open(async () => {
    mode = statSync(path).mode & 0o777
    return OUTCOME
  })

  expect(await judged(PORTS)).toEqual(OUTCOME)
  expect([mode, existsSync(path), await hasItem()]).toEqual([0o600, false, true])
})

test('an interrupted run restores the world', async () => {
  const { path, judged, hasItem } = await open(() => Promise.reject(new Error('It broke off')))

  await expect(judged(PORTS)).rejects.toThrow('It broke off')

  expect([await hasItem(), existsSync(path)]).toEqual([true, false])
})

test('a world is restored when a full disk has space again', async () => {
  const ended = new Error('It was stopped')
  const { path, judged, hasItem, disk, sandbox } = await open((full) => {
    full.fail('full')
    return Promise.reject(ended)
  })

  const failure: unknown = await judged(PORTS).catch((error: unknown) => error)
  const meanwhile = [await hasItem(), existsSync(path)]
  disk.repair()
  sandbox.realTime.move(1_000)
  await expect.poll(() => existsSync(path)).toBe(false)

  expect(failure).toMatchObject({
    name: 'WorldLeftError',
    message: expect.stringContaining('The store is full'),
    errors: [ended, expect.any(Error)],
  })
  expect([meanwhile, await hasItem()]).toEqual([[false, true], true])
})

test('a run is rejected when the world keeps changing', async () => {
  const { judged, perform, sandbox, ports } = await open(async () => OUTCOME)
  const add = () => perform('createObject', { path: { type: 'items' }, body: {} })
  let copies = 0
  const read = ports.snapshots.read
  let most = 2
  ports.snapshots.read = async function* () {
    yield* read()
    if (++copies < most) await add()
  }

  await judged(PORTS)
  const after = sandbox.store.objectCount('items')
  most = Number.POSITIVE_INFINITY

  expect([copies, after]).toEqual([2, 2])
  await expect(judged(PORTS)).rejects.toThrow('the world keeps changing')
})

test('the world of an earlier run is restored before the next run', async () => {
  let during = ''
  const { path, ports, perform, judged } = await open(async () => {
    during = readFileSync(path, 'utf8')
    return OUTCOME
  })
  const left = await perform('getSnapshot')
  await ports.file.keep(piecesOf(toSnapshotLines(left)))
  await perform('resetSandbox')

  await judged(PORTS)

  // The restored world has an additional clock entry, although the clock is unchanged.
  const clock = { head: { kind: 'clock', speed: 0 } }
  expect(readSnapshotLines(during)).toMatchObject({ entries: [...left.entries, clock] })
})

test('the world of a crashed run is restored once', async () => {
  const { path, ports, judged, hasItem } = await open(() => new Promise(() => {}))
  void judged(PORTS)
  await expect.poll(hasItem).toBe(false)

  await recoverWorld(ports)

  expect([await hasItem(), existsSync(path)]).toEqual([true, false])
  await recoverWorld(ports)
  expect(await hasItem()).toBe(true)
})

test('the recovery file is synced after keep() and forget()', async () => {
  const path = join(temporaryFolder(), 'store.sqlite.recovery')
  const synced: unknown[] = []
  const file = createRecoveryFile(path, (folder) => void synced.push([folder, existsSync(path)]))

  await file.keep(piecesOf('{}'))
  file.forget()

  expect(synced).toEqual([
    [dirname(path), true],
    [dirname(path), false],
  ])
})

test('the recovery file stays when its world cannot be restored', async () => {
  const { path, ports } = await open(async () => OUTCOME)
  await ports.file.keep(piecesOf('{}'))

  await expect(recoverWorld(ports)).rejects.toThrow('Required fields missing: format')

  expect(existsSync(path)).toBe(true)
})

test('a sandbox continues each payment once when it restores the world of a crashed run', async () => {
  const folder = temporaryFolder()
  const storePath = join(folder, 'store.sqlite')
  const ports = { port: 0, benchPort: 0, allowTargets: [], speed: 0, settings: defaultSettings }
  const before = testSandbox()
  const { body: old } = await before.control('POST', '/payments', { kind: 'direct-debit-payin', pace: '1h' })
  const world = before.perform('getSnapshot')
  await createRecoveryFile(`${storePath}.recovery`).keep(piecesOf(toSnapshotLines(await world)))

  const sandbox = await serveSandbox({
    ...ports,
    storePath,
    caFolder: folder,
    onError: (_, error) => expect.fail(String(error)),
  })
  onTestFinished(() => sandbox.close())
  const { id } = await sandbox.perform('playPayment', { body: { kind: 'direct-debit-payin', pace: '1h' } })
  await sandbox.perform('advanceClock', { body: { by: '1h' } })

  const steps = [old.id, id].map((each) => sandbox.store.payment(each)?.step)
  expect(steps).toEqual([2, 2])
})

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

const ANSWERED: Exchange = {
  outcome: { kind: 'answered', status: 204, headers: [], body: new Uint8Array() },
  timings: { connectedMs: 1, answeredMs: 1, totalMs: 1 },
  flags: [],
}

const message = (url: string): HttpMessage => ({ url, headers: {}, body: new Uint8Array() })

/** Creates a transport that allows four concurrent POSTs. The test responds to these POSTs. */
function posting({
  isAlone = false,
  turn,
}: { readonly isAlone?: boolean; readonly turn?: Promise<void> } = {}) {
  const posted: string[] = []
  const answer = Promise.withResolvers<Exchange>()
  const transportOf = createWorldTransports({
    transport: {
      post({ url }) {
        posted.push(url)
        return answer.promise
      },
    },
    turns: { take: (world) => (world === 'waiting' ? turn : undefined) },
    maxConcurrentDeliveries: 4,
    isAlone: () => isAlone,
  })
  return { posted, transportOf, answer: () => answer.resolve(ANSWERED) }
}

test('one world cannot use all concurrent POSTs of the sandbox', async () => {
  const { posted, transportOf, answer } = posting()
  const [busy, quiet] = [transportOf('busy'), transportOf('quiet')]
  const sent = ['1', '2', '3', '4'].map((url) => busy.post(message(url), 1))
  const other = quiet.post(message('other'), 1)
  answer()
  expect(posted).toEqual(['1', '2', '3', 'other'])
  expect((await Promise.all(sent)).at(-1)?.outcome).toMatchObject({ reason: 'out_of_resources' })
  expect((await other).outcome).toMatchObject({ status: 204 })
})

test('a world uses all concurrent POSTs without waiting when it is the only world', async () => {
  const { posted, transportOf } = posting({ isAlone: true, turn: new Promise(() => {}) })
  const only = transportOf('waiting')
  for (const url of ['1', '2', '3', '4']) void only.post(message(url), 1)
  expect(posted).toHaveLength(4)
})

test('cut() interrupts only the POSTs of its own world', async () => {
  const { posted, transportOf, answer } = posting({ turn: new Promise(() => {}) })
  const [a, b, waiting] = [transportOf('a'), transportOf('b'), transportOf('waiting')]
  const posts = [a, b, waiting].map((each) => each.post(message('1'), 1))
  a.cut()
  waiting.cut()
  answer()

  expect((await Promise.all(posts)).map(({ outcome }) => outcome)).toMatchObject([
    { kind: 'unanswered', reason: 'interrupted' },
    { status: 204 },
    { kind: 'unanswered', reason: 'interrupted' },
  ])
  expect((await a.post(message('2'), 1)).outcome).toMatchObject({ reason: 'interrupted' })
  expect((await b.post(message('3'), 1)).outcome).toMatchObject({ status: 204 })
  expect(posted).toEqual(['1', '1', '3'])
})

test('a POST of one world waits until the scheduler gives this world its turn', async () => {
  const turn = Promise.withResolvers<void>()
  const { posted, transportOf, answer } = posting({ turn: turn.promise })
  const later = transportOf('waiting').post(message('later'), 1)
  void transportOf('free').post(message('now'), 1)
  expect(posted).toEqual(['now'])
  turn.resolve()
  answer()
  await later
  expect(posted).toEqual(['now', 'later'])
})
