import type { RehearsalDelivery } from '../../spec/generated/control-types.ts'
import { formatOrder } from '../toolkit/rehearsal-order.ts'
import type { RehearsalWish } from '../toolkit/rehearsal-plan.ts'

/** What repeats a rehearsal in another order. */
export interface RehearsalRepeat {
  readonly request: RehearsalWish
  /** The command line without the order, its marks and what is asked of the payment. */
  readonly command: string
  /** The configuration in a test: a TypeScript expression, such as the name of a file. */
  readonly config: string
}

/** Such as `npx hookbench rehearse card-payin --order 2,1,1 --lose @2`. */
export function rehearsalCommand(
  { command, request }: RehearsalRepeat,
  deliveries: readonly RehearsalDelivery[],
): string {
  const { outcome, via, amount, pace } = request
  const given = Object.entries({ outcome, via, amount, pace })
  const options = given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${value}`]))
  return [command, ...options, formatOrder(deliveries)].join(' ')
}

/** A vitest test that repeats it, and passes once the receiver does what it should. */
export function rehearsalTest(
  { config, request }: RehearsalRepeat,
  deliveries: readonly RehearsalDelivery[],
): string {
  const { outcome, via, amount, pace } = request
  const fields = Object.entries({ kind: request.kind, outcome, via, amount, pace })
  const lines = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${toLiteral(value)},`],
  )
  const order = deliveries.map(({ number }) => number).join(', ')
  return [
    `import { expect, test } from 'vitest'`,
    `import { rehearse } from 'hookbench/contracts'`,
    '',
    `test(${toLiteral(`${request.kind} is dealt with, notified in the order ${order}`)}, { timeout: 120_000 }, async () => {`,
    `  const { verdict, actual } = await rehearse(${config}, {`,
    ...lines.map((line) => `    ${line}`),
    '    deliveries: [',
    ...deliveries.map((delivery) => `      ${deliveryText(delivery)},`),
    '    ],',
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

/** As prettier writes it where it can. */
function toLiteral(value: string | number): string {
  return typeof value === 'number' || value.includes("'")
    ? JSON.stringify(value)
    : `'${value.replaceAll('\\', '\\\\')}'`
}

/** A configuration as an expression on one line. */
export function configLiteral(config: unknown): string {
  return typeof config === 'string' ? toLiteral(config) : JSON.stringify(config)
}
