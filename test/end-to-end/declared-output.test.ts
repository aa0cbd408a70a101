import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue } from '../../contracts/catalogue.ts'
import { openWorkshop } from '../support/program.ts'

// Whatever these tests start with --json is held to its schema by the workshop; here is what no other test starts so.
const shop = openWorkshop()

beforeAll(async () => {
  await shop.up('--memory', '--clock', 'manual')
})

afterAll(() => shop.close())

test.each([
  ['ready'],
  ['init', '--yaml'],
  ['check', '--list'],
  ['check', '--explain', catalogue[0]?.id ?? ''],
  ['snapshot', 'save', 'world.json'],
  ['snapshot', 'save', '-'],
  ['snapshot', 'restore', 'world.json'],
  ['generate', '--out', 'made', '--lang', 'json-schema'],
  ['generate', '--out', 'made', '--lang', 'json-schema', '--check'],
  ['play', 'card-payin', '--dry'],
  ['next-outcome', 'direct-debit-payin', 'failed_direct_debit'],
])('%s %s %s prints what its schema has', async (...words) => {
  const { code, stdout, stderr } = await shop.run(...words, '--json')

  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).not.toBe('')
})

test('the schema that a command prints is the one of the package', async () => {
  const { stdout } = await shop.run('schema')

  expect(JSON.parse(stdout)).toEqual(
    JSON.parse(
      readFileSync(new URL('../../spec/generated/command-output.schema.json', import.meta.url), 'utf8'),
    ),
  )
})

test('what is stopped says so', async () => {
  expect(await shop.json('down')).toMatchObject({ stopped: true })
  expect(await shop.json('down')).toEqual({ stopped: false })
})
