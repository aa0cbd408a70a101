import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { UnreachableError } from '../../../sandbox/client/unreachable.ts'
import { UsageError } from '../../../sandbox/cli/failure.ts'
import { summarizeSnapshot, writeWhole } from '../../../sandbox/cli/snapshot-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookbench-snapshot-'))

afterAll(() => rmSync(folder, { recursive: true }))

async function* piecesOf(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

test('writeWhole() replaces a file by one for its owner only', async () => {
  const file = join(folder, 'world.json')
  writeFileSync(file, 'before', { mode: 0o644 })

  await writeWhole(file, piecesOf('af', 'ter'))

  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['after', 0o600])
})

test('writeWhole() leaves nothing behind where it cannot write', async () => {
  const taken = join(folder, 'taken')
  mkdirSync(taken)
  const before = readdirSync(folder)

  for (const file of [taken, join(folder, 'nowhere/world.json')]) {
    await expect(writeWhole(file, piecesOf('x'))).rejects.toThrow(UsageError)
    await expect(writeWhole(file, piecesOf('x'))).rejects.toThrow(`Cannot write "${file}"`)
  }
  expect(readdirSync(folder)).toEqual(before)
})

test('a snapshot that breaks off on its way is not written', async () => {
  const file = join(folder, 'kept.json')
  writeFileSync(file, 'before')
  const before = readdirSync(folder)

  const { pieces } = summarizeSnapshot(piecesOf('{"entries":[{"head":1},', '{"head":2'))

  await expect(writeWhole(file, pieces)).rejects.toThrow(UnreachableError)
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['before', before])
})

test('what is said of a snapshot is what went by', async () => {
  const { pieces, facts } = summarizeSnapshot(
    piecesOf('{"version":"1","entries":[{"head":1},{"he', 'ad":2}],"requests":[1,2,3],"checksum":"c"}'),
  )

  await writeWhole(join(folder, 'said.json'), pieces)

  expect(facts()).toMatchObject({ version: '1', checksum: 'c', entries: 2, requests: 3 })
})
