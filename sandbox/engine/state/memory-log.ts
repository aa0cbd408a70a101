import type { Entry } from './entries.ts'
import type { Log } from './log.ts'

export function createMemoryLog(): Log {
  let entries: Entry[] = []
  return {
    get length() {
      return entries.length
    },
    append(added) {
      for (const entry of added) entries.push(entry)
    },
    replace(others) {
      entries = [...others]
    },
    read(position) {
      const entry = entries[position - 1]
      if (!entry) throw new RangeError(`Cannot read entry ${position}: the log has ${entries.length}`)
      return entry
    },
    *heads() {
      for (const { head } of entries) yield head
    },
    close() {},
  }
}
