import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openScratchLog, openSqliteLog } from '../../sandbox/adapters/sqlite/sqlite-log.ts'
import { createMemoryLog, type Log } from '../../sandbox/engine/state/log.ts'

/** A log that a test opens, and looks at as the next start finds it. */
export interface OpenedLog {
  readonly log: Log
  /** Closes it, and opens it again. */
  reopened(): Promise<Log>
  /** Closes what is open, and leaves nothing. */
  end(): Promise<void>
}

export interface LogDriver {
  readonly name: string
  open(): Promise<OpenedLog>
}

export const memoryDriver: LogDriver = {
  name: 'memory',
  async open() {
    const log = createMemoryLog()
    return { log, reopened: async () => log, async end() {} }
  },
}

export const scratchDriver: LogDriver = {
  name: 'scratch file',
  async open() {
    const scratch = openScratchLog()
    // What is in it is gone when it is closed.
    const log = new Proxy(scratch, {
      get: (target, name) => (name === 'close' ? () => {} : Reflect.get(target, name)),
    })
    return { log, reopened: async () => log, end: async () => scratch.close() }
  },
}

export const sqliteDriver: LogDriver = {
  name: 'SQLite',
  async open() {
    const folder = mkdtempSync(join(tmpdir(), 'hookbench-'))
    const open = () => openSqliteLog(join(folder, 'store.sqlite'))
    return {
      ...createReopening(open(), async () => open()),
      async end() {
        rmSync(folder, { recursive: true })
      },
    }
  },
}

/** `log` as the first, and any other by `open` once that is closed. */
export function createReopening(log: Log, open: () => Promise<Log>): Pick<OpenedLog, 'log' | 'reopened'> {
  let present = log
  return {
    log,
    async reopened() {
      present.close()
      await present.closed
      present = await open()
      return present
    },
  }
}
