import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { StoreHead } from '../../engine/state/disk.ts'
import { hasHead, newestHead } from '../../engine/state/queries/heads.ts'
import { createSql } from '../../engine/state/sql.ts'
import { syncFolder } from '../files.ts'

interface Slot extends StoreHead {
  /** The number of the slot. The newer slot has the higher number. */
  readonly number: number
}

const SLOT_BYTES = 256
/** The offsets of two slots in separate pages. Writes alternate, so that a torn write damages only one slot. */
const OFFSETS = [0, 4_096]

const headPathOf = (databasePath: string) => `${databasePath}.head`

export function hasStore(databasePath: string): boolean {
  return existsSync(databasePath) || existsSync(headPathOf(databasePath))
}

export function readHeadFile(databasePath: string): Slot | undefined {
  const path = headPathOf(databasePath)
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, 'latin1')
  const slots = OFFSETS.map((offset) => parseSlot(text.slice(offset, offset + SLOT_BYTES)))
  return slots.filter((slot) => slot !== undefined).toSorted((a, b) => b.number - a.number)[0]
}

export function removeHead(databasePath: string): void {
  rmSync(headPathOf(databasePath), { force: true })
  syncFolder(dirname(databasePath))
}

export function findLoss(path: string, database: DatabaseSync | undefined): string | undefined {
  const stated = readHeadFile(path)
  if (!stated) return undefined
  const sql = database && createSql(database)
  const length = sql ? newestHead(sql).length : 0
  if (length < stated.length)
    return `${stated.length} entries were written and synced, but only ${length} remain`
  return sql && !hasHead(sql, stated)
    ? `the first ${stated.length} entries differ from the entries that were written and synced`
    : undefined
}

/** Opens the head file, which is written after each sync of the store. An outdated head is harmless. */
export function openHeadFile(databasePath: string) {
  const path = headPathOf(databasePath)
  let last = readHeadFile(databasePath) ?? { number: 0, length: 0, sum: 0 }
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)

  function writeSlot(head: StoreHead): void {
    last = { ...head, number: last.number + 1 }
    writeSync(descriptor, formatSlot(last), 0, SLOT_BYTES, OFFSETS[last.number % OFFSETS.length])
  }

  if (last.number === 0) {
    writeSlot(last)
    fdatasyncSync(descriptor)
    syncFolder(dirname(path))
  }

  return {
    /** Records the store's head, unless a newer head is recorded. Never throws, because an older head is still correct. */
    write({ length, sum }: StoreHead): void {
      // Ignores an older head, because an earlier sync can end after a later sync.
      if (length < last.length) return
      try {
        writeSlot({ length, sum })
      } catch {
        // Ignores the error, because the next write of the store reports a failed disk.
      }
    },
    close(): void {
      try {
        fdatasyncSync(descriptor)
      } catch {
        // Ignores the error, because the next write of the store reports a failed disk.
      }
      closeSync(descriptor)
    },
  }
}

function parseSlot(text: string): Slot | undefined {
  const json = text.slice(8).trimEnd()
  return checksumOf(json) === text.slice(0, 8) ? JSON.parse(json) : undefined
}

function formatSlot(slot: Slot): Buffer {
  const json = JSON.stringify(slot)
  return Buffer.from(`${checksumOf(json)}${json}`.padEnd(SLOT_BYTES), 'latin1')
}

const checksumOf = (text: string) => crc32(text).toString(16).padStart(8, '0')
