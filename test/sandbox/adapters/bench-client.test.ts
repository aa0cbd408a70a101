import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findBench } from '../../../sandbox/adapters/bench-client.ts'
import { UnreachableError } from '../../../sandbox/adapters/requests.ts'

const root = mkdtempSync(join(tmpdir(), 'hookbench-bench-'))
const RUN = { pid: 1, service_url: 'http://127.0.0.1:1', bench_url: 'http://127.0.0.1:2', started_at: '' }

afterAll(() => rmSync(root, { recursive: true }))

/** A data folder with a token, and what is said to run on it. */
function folderWith(name: string, run: string): string {
  const folder = join(root, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'token'), 'of-folder\n')
  if (run !== '') writeFileSync(join(folder, 'run.json'), run)
  return folder
}

const running = folderWith('running', JSON.stringify(RUN))

test.each([
  ['the data folder', {}, { url: RUN.bench_url, token: 'of-folder' }],
  ['HOOKBENCH_TOKEN', { HOOKBENCH_TOKEN: 'x' }, { url: RUN.bench_url, token: 'x' }],
  ['HOOKBENCH_URL', { HOOKBENCH_URL: 'http://a.test:1/' }, { url: 'http://a.test:1', token: 'of-folder' }],
  ['both', { HOOKBENCH_URL: 'https://a.test', HOOKBENCH_TOKEN: 'x' }, { url: 'https://a.test', token: 'x' }],
])('findBench() goes by %s', (_, env, address) => {
  expect(findBench(running, env)).toEqual(address)
})

test('findBench() has no token where there is none', () => {
  expect(findBench(join(root, 'nothing'), { HOOKBENCH_URL: 'http://a.test' }).token).toBe('')
})

test.each(['', 'a.test', 'ftp://a.test', '/control'])('findBench() refuses HOOKBENCH_URL "%s"', (url) => {
  expect(() => findBench(running, { HOOKBENCH_URL: url })).toThrow(RangeError)
})

test.each([
  ['nothing', '', 'none runs on data folder'],
  ['torn', '{"pid"', 'its run.json is damaged'],
  ['null', 'null', 'its run.json is damaged'],
  ['strange', '[]', 'its run.json is damaged'],
])('findBench() finds no sandbox where run.json is %s', (name, run, message) => {
  const folder = folderWith(name, run)

  expect(() => findBench(folder, {})).toThrow(UnreachableError)
  expect(() => findBench(folder, {})).toThrow(message)
})
