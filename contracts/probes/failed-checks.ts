import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../sandbox/internal.ts'
import { parseJson } from './effect-state.ts'

interface JudgedCheck {
  readonly check: { readonly id: string }
  readonly verdict: string
}

/** The checks that failed when they were run last, kept in the data folder. */
export interface FailedChecks {
  /** Their ids. */
  read(): readonly string[]
  /** Checks that were not judged now keep their place. */
  note(results: readonly JudgedCheck[]): void
}

export function failedChecks(folder: string): FailedChecks {
  const file = join(folder, 'failed-checks.json')
  const read = () => {
    const kept = parseJson(readIfThere(file))
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : []
  }
  return {
    read,
    note(results) {
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
