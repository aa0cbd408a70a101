import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createAsideFile } from '../../../sandbox/adapters/aside-file.ts'
import type { Judge, PlannedRun } from '../../../sandbox/api/control/judge.ts'
import { putBackWorld, withWorldAside } from '../../../sandbox/compose/judge-aside.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { testSandbox } from '../../support/test-sandbox.ts'

const OUTCOME = { conclusion: 'passed', headline: 'Nothing failed', rehearsal: null, report: {} } as const
const PORTS = { onProgress: () => {}, signal: new AbortController().signal }
const PLACE = { benchUrl: '', benchToken: '' }

/** A sandbox with an item, and a run that resets it and then does this. */
async function open(run: PlannedRun['run']) {
  const path = join(temporaryFolder(), 'store.sqlite.aside')
  const { perform } = testSandbox()
  const { id } = await perform('createObject', { path: { type: 'items' }, body: {} })
  const aside = createAsideFile(path)
  const planned = async () => ({
    about: 'a test',
    async run(ports: Parameters<PlannedRun['run']>[0]) {
      await perform('resetSandbox')
      return run(ports)
    },
  })
  const judge: Judge = { checks: () => [], rehearse: planned, check: planned }
  const { run: judged } = await withWorldAside(judge, aside, perform).check({}, PLACE)
  const hasItem = () =>
    perform('getObject', { path: { type: 'items', id } }).then(
      () => true,
      () => false,
    )
  return { path, aside, perform, judged, hasItem }
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
