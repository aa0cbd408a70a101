import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findControlAddress } from '../../../sandbox/client/control-address.ts'
import { UnreachableError } from '../../../sandbox/client/unreachable.ts'

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
])('findControlAddress() goes by %s', (_, env, address) => {
  expect(findControlAddress(running, env)).toEqual(address)
})

test('findControlAddress() has no token where there is none', () => {
  expect(findControlAddress(join(root, 'nothing'), { HOOKBENCH_URL: 'http://a.test' }).token).toBe('')
})

test.each(['', 'a.test', 'ftp://a.test', '/control'])(
  'findControlAddress() refuses HOOKBENCH_URL "%s"',
  (url) => {
    expect(() => findControlAddress(running, { HOOKBENCH_URL: url })).toThrow(RangeError)
  },
)

test.each([
  ['nothing', '', { code: 'no_sandbox', state: expect.stringContaining('none runs on data folder') }],
  ['torn', '{"pid"', { code: 'damaged_run_file' }],
  ['null', 'null', { code: 'damaged_run_file' }],
  ['strange', '[]', { code: 'damaged_run_file' }],
])('findControlAddress() finds no sandbox where run.json is %s', (name, run, error) => {
  const folder = folderWith(name, run)

  expect(() => findControlAddress(folder, {})).toThrow(UnreachableError)
  expect(() => findControlAddress(folder, {})).toThrow(expect.objectContaining(error))
})
