import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createAsideFile } from '../../../sandbox/adapters/aside-file.ts'
import type { Judge, PlannedRun } from '../../../sandbox/api/control/judge.ts'
import { putBackWorld, withWorldAside } from '../../../sandbox/compose/judge-aside.ts'
import { createFailingLog } from '../../support/failing-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { testSandbox } from '../../support/test-sandbox.ts'

const OUTCOME = { conclusion: 'passed', headline: 'Nothing failed', rehearsal: null, report: {} } as const
const PORTS = { onProgress: () => {}, signal: new AbortController().signal }
const PLACE = { benchUrl: '', benchToken: '' }

/** A sandbox with an item, and a run that resets it and then does this. */
async function open(run: (disk: ReturnType<typeof createFailingLog>) => ReturnType<PlannedRun['run']>) {
  const path = join(temporaryFolder(), 'store.sqlite.aside')
  const disk = createFailingLog()
  const sandbox = testSandbox({ log: disk.log })
  const { perform, store } = sandbox
  const { id } = await perform('createObject', { path: { type: 'items' }, body: {} })
  const aside = createAsideFile(path)
  const planned = async () => ({
    about: 'a test',
    async run() {
      await perform('resetSandbox')
      return run(disk)
    },
  })
  const judge: Judge = { checks: () => [], rehearse: planned, check: planned }
  const { run: judged } = await withWorldAside(judge, aside, { perform, store, onError: () => {} }).check(
    {},
    PLACE,
  )
  const hasItem = () =>
    perform('getObject', { path: { type: 'items', id } }).then(
      () => true,
      () => false,
    )
  return { path, aside, perform, judged, hasItem, disk, sandbox }
}

test('the world is on disk while a run uses the sandbox, for its user alone, and no longer', async () => {
  let mode = 0
  const { path, judged } = await open(async () => {
    mode = statSync(path).mode & 0o777
    return OUTCOME
  })

  expect(await judged(PORTS)).toEqual(OUTCOME)
  expect([mode, existsSync(path)]).toEqual([0o600, false])
})

test('a run that breaks off leaves the world as it was', async () => {
  const { path, judged, hasItem } = await open(() => Promise.reject(new Error('It broke off')))

  await expect(judged(PORTS)).rejects.toThrow('It broke off')

  expect([await hasItem(), existsSync(path)]).toEqual([true, false])
})

test('a world that a full disk keeps from coming back is kept, told of, and put back when there is room', async () => {
  const ended = new Error('It was stopped')
  const { path, judged, hasItem, disk, sandbox } = await open((full) => {
    full.fail('full')
    return Promise.reject(ended)
  })

  const failure: unknown = await judged(PORTS).catch((error: unknown) => error)
  const meanwhile = [await hasItem(), existsSync(path)]
  disk.mend()
  sandbox.realTime.move(1_000)
  while (existsSync(path)) await Promise.resolve()

  expect(failure).toMatchObject({
    name: 'WorldLeftError',
    message: expect.stringContaining('The store is full'),
    errors: [ended, expect.any(Error)],
  })
  expect([meanwhile, await hasItem()]).toEqual([[false, true], true])
})

test('what an earlier run has left aside is put back before the next one begins', async () => {
  let during: string | undefined
  const { aside, perform, judged } = await open(async () => {
    during = aside.read()
    return OUTCOME
  })
  const left = await perform('getSnapshot')
  aside.keep(JSON.stringify(left))
  await perform('resetSandbox')

  await judged(PORTS)

  expect(JSON.parse(during ?? '')).toMatchObject({ entries: left.entries })
})

test('what a crash has left is put back once', async () => {
  const { path, aside, perform, judged, hasItem } = await open(() => new Promise(() => {}))
  void judged(PORTS)
  while (await hasItem()) await Promise.resolve()

  await putBackWorld(aside, perform)

  expect([await hasItem(), existsSync(path)]).toEqual([true, false])
  await putBackWorld(aside, perform)
  expect(await hasItem()).toBe(true)
})

test('what is kept and what is forgotten outlive a loss of power', () => {
  const path = join(temporaryFolder(), 'store.sqlite.aside')
  const synced: unknown[] = []
  const aside = createAsideFile(path, (folder) => void synced.push([folder, existsSync(path)]))

  aside.keep('{}')
  aside.forget()

  expect(synced).toEqual([
    [dirname(path), true],
    [dirname(path), false],
  ])
})

test('what cannot be put back is left where it is', async () => {
  const { path, aside, perform } = await open(async () => OUTCOME)
  aside.keep('{}')

  await expect(putBackWorld(aside, perform)).rejects.toThrow()

  expect(existsSync(path)).toBe(true)
})
