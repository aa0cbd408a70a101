import type { RehearsalDelivery } from '../../spec/generated/control-types.ts'
import { quoteForShell } from '../../sandbox/internal.ts'
import type { ExploredCase } from '../explored-case.ts'
import type { CheckResult } from '../run/run-result.ts'
import { formatOrder, type RehearsalWish } from '../toolkit/rehearsal-plan.ts'
import type { CaseRepeat, CheckReportOptions } from './report.ts'

export interface RepeatWords {
  /** The command that repeats a run, without a case or an order. */
  readonly command: string
  /** The configuration as a TypeScript expression, such as the file name in quotes. */
  readonly config: string
}

export function repeatCase(plan: ExploredCase, { command, config }: RepeatWords): CaseRepeat {
  return {
    command: `${command} --case ${quoteForShell(JSON.stringify(plan))}`,
    test: testText({
      title: `'the receiver acts as it should in a case that an exploration found'`,
      call: `rehearseCase(${config}, {`,
      name: 'rehearseCase',
      lines: Object.entries(plan).flatMap(([name, items]) => listLines(name, items)),
    }),
  }
}

function listLines(name: string, items: readonly object[]): readonly string[] {
  return [`    ${name}: [`, ...items.map((item) => `      ${JSON.stringify(item)},`), '    ],']
}

export function repeatCommand(result: CheckResult, options: CheckReportOptions): string {
  return findRepeat(result, options)?.command ?? options.repeat(result.check.id)
}

export function findRepeat(
  { finding }: Pick<CheckResult, 'finding'>,
  options: CheckReportOptions,
): CaseRepeat | undefined {
  const found = finding?.kind === 'failed' ? finding.counterexample : undefined
  return found && options.repeatCase?.(found.plan)
}

export interface RehearsalRepeat extends RepeatWords {
  readonly request: RehearsalWish
}

/** Returns a command such as `npx hookbench rehearse card-payin --order 2,1,1 --lose @2`. */
export function rehearsalCommand(
  { command, request }: RehearsalRepeat,
  deliveries: readonly RehearsalDelivery[],
): string {
  const { outcome, via, amount, pace } = request
  const given = Object.entries({ outcome, via, amount, pace })
  const options = given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${value}`]))
  return [command, ...options, formatOrder(deliveries)].join(' ')
}

/** Returns a Vitest test that repeats a rehearsal. The test fails until the receiver is fixed. */
export function rehearsalTest(
  { config, request }: RehearsalRepeat,
  deliveries: readonly RehearsalDelivery[],
): string {
  const { outcome, via, amount, pace } = request
  const fields = Object.entries({ kind: request.kind, outcome, via, amount, pace })
  const lines = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [`    ${name}: ${toLiteral(value)},`],
  )
  const order = deliveries.map(({ number }) => number).join(', ')
  return testText({
    title: toLiteral(`the notifications of ${request.kind} arrive in the order ${order}`),
    call: `rehearse(${config}, {`,
    name: 'rehearse',
    lines: [
      ...lines,
      '    deliveries: [',
      ...deliveries.map((delivery) => `      ${deliveryText(delivery)},`),
      '    ],',
    ],
  })
}

interface TestText {
  readonly title: string
  readonly name: string
  readonly call: string
  readonly lines: readonly string[]
}

function testText({ title, name, call, lines }: TestText): string {
  return [
    `import { expect, test } from 'vitest'`,
    `import { ${name} } from 'hookbench/contracts'`,
    '',
    `test(${title}, { timeout: 120_000 }, async () => {`,
    `  const { verdict, actual } = await ${call}`,
    ...lines,
    '  })',
    '',
    `  expect({ verdict, actual }).toEqual({ verdict: 'passed', actual: null })`,
    '})',
    '',
  ].join('\n')
}

function deliveryText(delivery: RehearsalDelivery): string {
  const fields = Object.entries(delivery).filter(([, value]) => value !== false)
  return `{ ${fields.map(([name, value]) => `${name}: ${value}`).join(', ')} }`
}

function toLiteral(value: string | number): string {
  return typeof value === 'number' || value.includes("'")
    ? JSON.stringify(value)
    : `'${value.replaceAll('\\', '\\\\')}'`
}

export function configLiteral(config: unknown): string {
  return typeof config === 'string' ? toLiteral(config) : JSON.stringify(config)
}
