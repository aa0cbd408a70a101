import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseCase } from '../explored-case.ts'
import { replaceFile } from '../../sandbox/internal.ts'
import type { ExplorationHook } from '../toolkit/exploration-hook.ts'
import { parseJson } from './effect-state.ts'

/** The worlds that failed are kept in the data folder, for the next run to try first. */
export function keepCounterexamples(folder: string): Pick<ExplorationHook, 'kept' | 'keep'> {
  const file = join(folder, 'counterexamples.json')
  return {
    kept() {
      const kept = parseJson(readIfThere(file))
      // A file of another version, or one that was edited, is no reason to end a run.
      return Array.isArray(kept) ? kept.flatMap((each) => parseCase(each) ?? []) : []
    },
    keep(cases) {
      if (cases.length === 0) return rmSync(file, { force: true })
      mkdirSync(folder, { recursive: true })
      replaceFile(file, `${JSON.stringify(cases, undefined, 2)}\n`)
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
