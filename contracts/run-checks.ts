import type { Check, Finding, Receiver } from './check.ts'

export interface CheckResult {
  readonly check: Check
  readonly finding: Finding
}

export interface RunResult {
  readonly results: readonly CheckResult[]
  readonly summary: { readonly passed: number; readonly failed: number; readonly inconclusive: number }
}

/** Runs the checks one after the other; `onResult` is told of each as it ends. */
export async function runChecks(
  checks: readonly Check[],
  receiver: Receiver,
  onResult: (result: CheckResult) => void = () => {},
): Promise<RunResult> {
  const results: CheckResult[] = []
  for (const check of checks) {
    const result = { check, finding: await check.run(receiver) }
    results.push(result)
    onResult(result)
  }
  const count = (kind: Finding['kind']) => results.filter(({ finding }) => finding.kind === kind).length
  return {
    results,
    summary: { passed: count('passed'), failed: count('failed'), inconclusive: count('inconclusive') },
  }
}

/** 0 nothing failed, 1 something did, be it only a control, 3 the receiver could not be reached. */
export function exitCodeOf({ results }: Pick<RunResult, 'results'>): 0 | 1 | 3 {
  const findings = results.map(({ finding }) => finding)
  if (findings.some(({ kind }) => kind === 'failed')) return 1
  if (findings.some((finding) => finding.kind === 'inconclusive' && finding.cause === 'unreachable')) return 3
  return findings.some(({ kind }) => kind === 'inconclusive') ? 1 : 0
}
