import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { configContext } from '../../../contracts/config/config-context.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Returns a configuration context. The context's folder contains `words.json` and a sandbox data folder `data`. */
function context() {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'data/ca'), { recursive: true })
  writeFileSync(join(folder, 'words.json'), '{}')
  writeFileSync(join(folder, 'data/ca/ca.crt.pem'), 'the CA')
  return {
    ...configContext({ name: 'hookbench.config.json', folder }),
    data: join(folder, 'data'),
  }
}

test('paths in a configuration are relative to the folder of the configuration', () => {
  expect(context().readFile('words.json')).toBe('{}')
})

test('readToken() returns the token in a data folder only for the sandbox that uses this folder', () => {
  vi.stubEnv('HOOKBENCH_TOKEN', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { readToken, data } = context()
  writeFileSync(join(data, 'token'), 'its token')
  writeFileSync(join(data, 'run.json'), '{"bench_url":"http://127.0.0.1:4011"}')

  expect([readToken(data, 'http://127.0.0.1:4011'), readToken(data, 'https://a.test')]).toEqual([
    'its token',
    undefined,
  ])
})
