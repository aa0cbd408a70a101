// This import comes first, because it replaces a function that other modules import.
import { disk } from './full-disk.ts'
import { writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openCertificateAuthority } from '../../../sandbox/adapters/certificate-authority.ts'
import { openDataFolder, readTokenKey } from '../../../sandbox/adapters/data-folder.ts'
import { openDisk } from '../../../sandbox/adapters/sqlite/disk.ts'
import { openStoreDatabase } from '../../../sandbox/adapters/sqlite/store-database.ts'
import { createSeededRandom } from '../../../sandbox/engine/core/random.ts'
import type { WorldDirectory } from '../../../sandbox/engine/state/world-directory.ts'
import { ENTRIES_OF_EACH_TABLE } from '../../support/entries-of-each-table.ts'
import { START, testSandbox, type TestSandbox } from '../../support/test-sandbox.ts'
import { DISK_BUGS } from '../simulation/planted/store.ts'
import { countDefaultWorlds, type AddNote } from './noted-disk.ts'
import { formatNote } from './disk-model.ts'

/** Runs a sandbox that does random work in its data folder. Notes between traced system calls report commits and confirmations. */
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: '' },
    seed: { type: 'string', default: '0' },
    steps: { type: 'string', default: '60' },
    bug: { type: 'string' },
  },
})

const random = createSeededRandom(Number(values.seed))
const draw = (below: number) => Math.floor(random() * below)
const note: AddNote = (...about) => void writeSync(1, formatNote(...about))

disk.onFailedSync = (descriptor) => note('failed-sync', { descriptor })

const worlds = countDefaultWorlds(note)
/** The simulated bug that `--bug` plants. */
const bug = DISK_BUGS.find(({ id }) => id === values.bug)?.plant.disk ?? ((plain) => plain)
if (values.bug !== undefined && !DISK_BUGS.some(({ id }) => id === values.bug))
  throw new RangeError(`Cannot plant "${values.bug}": unknown bug`)

const turn = () => new Promise((resolve) => setImmediate(resolve))

let named = 0

async function addWorld({ add }: WorldDirectory): Promise<void> {
  const name = `world-${++named}`
  const credentials = { client_id: name, client_secret: 'x', email: name, api_token: 'x' }
  const length = draw(ENTRIES_OF_EACH_TABLE.length)
  note('named-world', { name })
  const record = { id: name, name, credentials, controlToken: name, createdAt: named, expiresAt: null }
  await add(record, async (store) => {
    await store.commit(ENTRIES_OF_EACH_TABLE.slice(0, length))
    return undefined
  })
  note('kept-named-world', { name, length })
}

async function removeWorld({ list, remove }: WorldDirectory): Promise<void> {
  const world = list()[draw(list().length)]
  if (!world) return
  note('named-world', world)
  await remove(world.id, () => Promise.resolve())
  note('kept-named-world', { name: world.name, length: 'removed' })
}

async function work(sandbox: TestSandbox, directory: WorldDirectory): Promise<void> {
  const ids: string[] = []
  let snapshot: unknown
  const keepAll = ({ status }: { readonly status: number }) => {
    if (status === 200) note('kept', { world: worlds.present, position: sandbox.store.length })
  }
  const steps: readonly (() => Promise<unknown>)[] = [
    async () => {
      const { body } = await sandbox.control('POST', '/objects/items', { name: 'x'.repeat(draw(2_000)) })
      ids.push(body.id)
    },
    () =>
      Promise.all(Array.from({ length: 1 + draw(20) }, () => sandbox.control('POST', '/objects/users', {}))),
    async () => {
      const id = ids[draw(ids.length)]
      if (id !== undefined)
        await sandbox.control('PATCH', `/objects/items/${id}`, { name: `changed ${random()}` })
    },
    () => sandbox.control('POST', '/clock/advance', { by: `${1 + draw(90)}m` }),
    () => sandbox.control('POST', '/payments', { kind: 'bpay-payin', pace: '1m' }),
    // While a sync is in flight, a rejected call commits the pending writes of earlier calls.
    async () => {
      const created = [0, 1].map(() => sandbox.control('POST', '/objects/users', {}))
      await turn()
      created.push(sandbox.control('POST', '/objects/users', {}))
      await sandbox.control('PATCH', '/objects/items/none', {})
      await Promise.all(created)
    },
    // The disk becomes full several times in a row, while nothing else changes the write-ahead log.
    async () => {
      for (let times = draw(5); times > 0; times--) {
        disk.isFull = true
        await sandbox.control('POST', '/objects/users', {})
        disk.isFull = false
        sandbox.store.recover()
      }
    },
    async () => {
      if (draw(4) === 0) snapshot = (await sandbox.control('GET', '/snapshot')).body
    },
    async () => {
      if (draw(6) === 0 && snapshot !== undefined)
        keepAll(await sandbox.control('PUT', '/snapshot', snapshot))
    },
    async () => {
      if (draw(12) === 0) keepAll(await sandbox.control('POST', '/reset'))
    },
    async () => {
      if (draw(2) === 0) await (draw(3) === 0 ? removeWorld : addWorld)(directory)
    },
  ]
  for (let step = 0; step < Number(values.steps); step++) await steps[draw(steps.length)]?.()
}

const folder = openDataFolder(values.folder)
readTokenKey(folder)
await openCertificateAuthority(folder.caFolder)

async function runOnce(): Promise<void> {
  const database = openStoreDatabase(folder.storePath, {
    soon: queueMicrotask,
    openDisk: (path, opened) => bug(worlds.noteTransactions(openDisk(path, opened), opened), opened),
  })
  const store = database.openDefault()
  const sandbox = testSandbox({
    store,
    script: (_, index) => (index > 0 && draw(4) === 0 ? 503 : 200),
    startAt: START + store.length,
  })
  let position = store.length
  sandbox.onReplaced(() => (position = store.length))
  // No call acknowledges an `attempt-start` entry. Such an entry counts as acknowledged when the next entry is acknowledged.
  store.subscribe(({ kind }) => {
    position++
    if (kind !== 'attempt-start') note('kept', { world: worlds.present, position })
  })
  if (store.registrations('webhooks').length === 0) await sandbox.register()
  await work(sandbox, database.directory)
  await sandbox.close()
  database.close()
}

await runOnce()
await runOnce()
