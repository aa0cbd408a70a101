import type { ExploredCase } from '../explored-case.ts'
import type { CheckResult } from '../run/run-result.ts'
import { quoteForShell } from '../../sandbox/internal.ts'
import type { CaseRepeat, CheckReportOptions } from './report.ts'

/** `command` is `npx hookbench rehearse` with its options; `config` a TypeScript expression, such as the name of a file. */
export function repeatCase(
  plan: ExploredCase,
  { command, config }: { readonly command: string; readonly config: string },
): CaseRepeat {
  return {
    command: `${command} --case ${quoteForShell(JSON.stringify(plan))}`,
    test: [
      `import { expect, test } from 'vitest'`,
      `import { rehearseCase } from 'hookbench/contracts'`,
      '',
      `test('the receiver acts as it should in a case that an exploration found', { timeout: 120_000 }, async () => {`,
      `  const { verdict, actual } = await rehearseCase(${config}, {`,
      ...Object.entries(plan).flatMap(([name, items]) => listLines(name, items)),
      '  })',
      '',
      `  expect({ verdict, actual }).toEqual({ verdict: 'passed', actual: null })`,
      '})',
      '',
    ].join('\n'),
  }
}

function listLines(name: string, items: readonly object[]): readonly string[] {
  return [`    ${name}: [`, ...items.map((item) => `      ${JSON.stringify(item)},`), '    ],']
}

/** The command that repeats a check: the case that it has found, or the whole check. */
export function repeatCommand(result: CheckResult, options: CheckReportOptions): string {
  return findRepeat(result, options)?.command ?? options.repeat(result.check.id)
}

/** What repeats the case that a check has found; undefined if it has found none. */
export function findRepeat(
  { finding }: Pick<CheckResult, 'finding'>,
  options: CheckReportOptions,
): CaseRepeat | undefined {
  const found = finding?.kind === 'failed' ? finding.counterexample : undefined
  return found && options.repeatCase?.(found.plan)
}
