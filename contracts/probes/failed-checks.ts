import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseCase } from '../explored-case.ts'
import { parseJson } from './effect-state.ts'
import type { ExplorationHook } from '../toolkit/ports.ts'
import { replaceFile } from '../../sandbox/internal.ts'

/** Opens a JSON list in the data folder. An old or manually edited file does not make a run fail. */
function jsonList(folder: string, name: string) {
  const file = join(folder, name)
  return {
    read(): readonly unknown[] {
      try {
        const kept = parseJson(readFileSync(file, 'utf8'))
        return Array.isArray(kept) ? kept : []
      } catch {
        return []
      }
    },
    write(list: readonly unknown[]) {
      mkdirSync(folder, { recursive: true })
      replaceFile(file, `${JSON.stringify(list, undefined, 2)}\n`)
    },
    remove: () => rmSync(file, { force: true }),
  }
}

export function failedChecks(folder: string) {
  const file = jsonList(folder, 'failed-checks.json')
  const read = () => file.read().filter((each) => typeof each === 'string')
  return {
    read,
    note(results: readonly { readonly check: { readonly id: string }; readonly verdict: string }[]) {
      const idsOf = (verdict: string) =>
        results.filter((each) => each.verdict === verdict).map(({ check }) => check.id)
      const failed = idsOf('failed')
      const judged = new Set([...failed, ...idsOf('passed')])
      file.write([...read().filter((id) => !judged.has(id)), ...failed])
    },
  }
}

/** Stores the failing cases in the data folder. The next run starts with these cases. */
export function keepCounterexamples(folder: string): Pick<ExplorationHook, 'kept' | 'keep'> {
  const file = jsonList(folder, 'counterexamples.json')
  return {
    kept: () => file.read().flatMap((each) => parseCase(each) ?? []),
    keep: (cases) => (cases.length === 0 ? file.remove() : file.write(cases)),
  }
}
