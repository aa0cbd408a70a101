// First, since it replaces a function that others take when they are loaded.
import { disk } from './full-disk.ts'
import { writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openCertificateAuthority } from '../../../sandbox/adapters/certificate-authority.ts'
import { openDataFolder, readTokenKey } from '../../../sandbox/adapters/data-folder.ts'
import { openSqliteLog } from '../../../sandbox/adapters/sqlite/sqlite-log.ts'
import { createSeededRandom } from '../../../sandbox/engine/core/random.ts'
import type { Log } from '../../../sandbox/engine/state/log.ts'
import { START, testSandbox, type TestSandbox } from '../../support/test-sandbox.ts'
import { LOG_BUGS } from '../simulation/planted/logs.ts'
import { formatNote } from './notes.ts'
import { sumOf } from './promises.ts'

/**
 * Work of a sandbox on a data folder of its own, drawn with a seed. What it hands to the log, and what it says is kept, is noted among
 * the system calls that the process makes.
 */
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: '' },
    seed: { type: 'string', default: '0' },
    steps: { type: 'string', default: '60' },
    unsynced: { type: 'boolean', default: false },
    bug: { type: 'string' },
  },
})

const random = createSeededRandom(Number(values.seed))
const draw = (below: number) => Math.floor(random() * below)
const note = (...about: Parameters<typeof formatNote>) => void writeSync(1, formatNote(...about))

disk.onFailedSync = (descriptor) => note('failed-sync', { descriptor })

let world = 0

/** `--bug`: one of those that are planted in the simulation. */
const plant = LOG_BUGS.find(({ id }) => id === values.bug)?.plant.log ?? ((log: Log) => log)

/** The same log, which notes what it is to hold; `--unsynced`: one that never waits for the disk, to see that it is found out. */
function noted(log: Log): Log {
  const { sync, ...rest } = log
  return {
    ...rest,
    get length() {
      return log.length
    },
    append(entries) {
      note('batch', { world, from: log.length + 1, sums: entries.map(sumOf) })
      log.append(entries)
    },
    replace(entries) {
      world++
      note('world', { world, sums: entries.map(sumOf) })
      log.replace?.(entries)
      note('kept', { world, position: log.length })
    },
    stage() {
      const staged = log.stage?.()
      if (!staged) throw new TypeError('The log of the sandbox has a stage')
      const sums: number[] = []
      return {
        ...staged,
        add(entries) {
          sums.push(...entries.map(sumOf))
          staged.add(entries)
        },
        publish() {
          world++
          note('world', { world, sums })
          staged.publish()
        },
      }
    },
    ...(values.unsynced ? { syncNow: () => {} } : sync && { sync }),
  }
}

/** Lets everything run that is ready. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

async function work(sandbox: TestSandbox): Promise<void> {
  const ids: string[] = []
  let snapshot: unknown
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
    // A refused call writes what was committed during the sync that is under way.
    async () => {
      const created = [0, 1].map(() => sandbox.control('POST', '/objects/users', {}))
      await turn()
      created.push(sandbox.control('POST', '/objects/users', {}))
      await sandbox.control('PATCH', '/objects/items/none', {})
      await Promise.all(created)
    },
    // The disk is full when it is waited for, and has room later.
    async () => {
      disk.isFull = draw(2) === 0
      await sandbox.control('POST', '/objects/users', {})
      disk.isFull = false
      sandbox.store.recover()
    },
    async () => {
      if (draw(4) === 0) snapshot = (await sandbox.control('GET', '/snapshot')).body
    },
    async () => {
      if (draw(6) === 0 && snapshot !== undefined) await sandbox.control('PUT', '/snapshot', snapshot)
    },
    async () => {
      if (draw(12) === 0) await sandbox.control('POST', '/reset')
    },
  ]
  for (let step = 0; step < Number(values.steps); step++) await steps[draw(steps.length)]?.()
}

const folder = openDataFolder(values.folder)
readTokenKey(folder)
await openCertificateAuthority(folder.caFolder)

/** From the opening of the store to its closing. */
async function runOnce(): Promise<void> {
  const log = plant(noted(openSqliteLog(folder.storePath)))
  const sandbox = testSandbox({
    log,
    script: (_, index) => (index > 0 && draw(4) === 0 ? 503 : 200),
    startAt: START + log.length,
  })
  let position = log.length
  sandbox.onReplaced(() => (position = log.length))
  // What outlives the process alone is not said to be kept; it is once something behind it is.
  sandbox.store.subscribe(({ kind }) => {
    position++
    if (kind !== 'attempt-start') note('kept', { world, position })
  })
  if (sandbox.store.registrations('webhooks').length === 0) await sandbox.register()
  await work(sandbox)
  await sandbox.close()
}

await runOnce()
await runOnce()
