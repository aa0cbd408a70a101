import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeCutTail } from '../../../../sandbox/adapters/sqlite/cut-tail.ts'
import { openSqliteLog } from '../../../../sandbox/adapters/sqlite/sqlite-log.ts'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'

const entry = (at: number): Entry => ({ head: { kind: 'clock', at }, body: 'x'.repeat(3_000) })

/** A store as a killed process leaves it, with so many commits. */
function makeKilled(commits: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [path, copy] = [join(folder, 'store.sqlite'), join(folder, 'killed.sqlite')]
  const log = openSqliteLog(path)
  for (let at = 1; at <= commits; at++) log.append([entry(at)])
  for (const suffix of ['', '-wal']) cpSync(path + suffix, copy + suffix)
  log.close()
  return copy
}

function lengthOf(path: string): number {
  const log = openSqliteLog(path)
  const { length } = log
  log.close()
  return length
}

test('nothing is cut off a store whose last write is whole', () => {
  const path = makeKilled(20)

  expect([describeCutTail(path), lengthOf(path)]).toEqual([undefined, 20])
})

test('nothing is cut off a store that was closed, or is not there', () => {
  const path = makeKilled(20)
  lengthOf(path)

  expect([describeCutTail(path), describeCutTail(`${path}.nowhere`)]).toEqual([undefined, undefined])
})

test('a write that was cut off is left out, and said', () => {
  const path = makeKilled(20)
  const { length } = readFileSync(`${path}-wal`)
  truncateSync(`${path}-wal`, length - 5_000)

  expect(describeCutTail(path)).toMatch(
    /^What was written last to store ".*killed.sqlite" is not whole \(\d+ pages?\): it is cut back to the last whole commit$/,
  )
  expect(lengthOf(path)).toBe(19)
})

test('a write that was damaged is left out with all behind it, and said', () => {
  const path = makeKilled(20)
  const bytes = readFileSync(`${path}-wal`)
  bytes.writeUInt8(bytes.readUInt8(bytes.length / 2) ^ 1, bytes.length / 2)
  writeFileSync(`${path}-wal`, bytes)

  expect(describeCutTail(path)).toContain('it is cut back to the last whole commit')
  expect(lengthOf(path)).toBeLessThan(20)
})

test('what is left of an earlier round is not taken for a write that was cut off', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'store.sqlite')
  const log = openSqliteLog(path)
  // Enough for the file to be moved on, and begun anew.
  for (let at = 1; at <= 1_200; at++) log.append([entry(at)])

  expect(describeCutTail(path)).toBeUndefined()
  log.close()
})
