import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseCase } from '../explored-case.ts'
import { parseJson } from './effect-state.ts'
import type { ExplorationHook } from '../toolkit/ports.ts'
import { replaceFile } from '../../sandbox/internal.ts'

/** The failed checks of the last run, in the data folder. */
export function failedChecks(folder: string) {
  const file = join(folder, 'failed-checks.json')
  const read = () => {
    const kept = parseJson(readIfThere(file))
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : []
  }
  return {
    read,
    note(results: readonly { readonly check: { readonly id: string }; readonly verdict: string }[]) {
      const idsOf = (verdict: string) =>
        results.filter((each) => each.verdict === verdict).map(({ check }) => check.id)
      const failed = idsOf('failed')
      const judged = new Set([...failed, ...idsOf('passed')])
      mkdirSync(folder, { recursive: true })
      replaceFile(
        file,
        `${JSON.stringify([...read().filter((id) => !judged.has(id)), ...failed], undefined, 2)}\n`,
      )
    },
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Stores the failed cases in the data folder, so that the next run starts with them. */
export function keepCounterexamples(folder: string): Pick<ExplorationHook, 'kept' | 'keep'> {
  const file = join(folder, 'counterexamples.json')
  return {
    kept() {
      const kept = parseJson(readIfThere(file))
      // An old or edited file must not end a run.
      return Array.isArray(kept) ? kept.flatMap((each) => parseCase(each) ?? []) : []
    },
    keep(cases) {
      if (cases.length === 0) return rmSync(file, { force: true })
      mkdirSync(folder, { recursive: true })
      replaceFile(file, `${JSON.stringify(cases, undefined, 2)}\n`)
    },
  }
}
