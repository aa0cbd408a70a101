import { faultKinds, type FaultPlace } from '../../spec/faults.ts'
import type { FaultRequest } from '../../spec/generated/control-types.ts'
import { likely } from '../engine/core/nearest.ts'
import { UsageError } from './failure.ts'
import { wrapped } from './terminal.ts'

const TITLES: { readonly [Place in FaultPlace]: string } = {
  delivery: 'of notifications on their way to you',
  api: 'of calls that you make',
}

/** Every kind of fault, with the options that it takes. */
export const FAULT_KINDS_HELP = (['delivery', 'api'] as const)
  .map((on) => {
    const lines = Object.entries(faultKinds[on]).map(([kind, { about, takes }]) => {
      const options = takes.map((name) => `--${name.replace(/_ms$/, '').replaceAll('_', '-')}`)
      const text = options.length === 0 ? about : `${about} ${options.join(', ')}`
      return wrapped(text, { first: `  ${kind}`.padEnd(24), rest: ' '.repeat(24) })
    })
    return `\nKinds on ${on}, ${TITLES[on]}:\n${lines.join('\n')}`
  })
  .join('\n')

type KindName = FaultRequest['kind']

/** The kind of that name. Throws UsageError with the nearest one. */
export function faultKindOf(text: string): KindName {
  if (isFaultKind(text)) return text
  const meant = likely(text, NAMES)
  const question = meant === undefined ? '' : ` did you mean "${meant}"?`
  throw new UsageError(
    `Cannot add fault "${text}": there is no such kind;${question} "npx hookbench faults add --help" lists them`,
  )
}

const NAMES = Object.values(faultKinds).flatMap((kinds) => Object.keys(kinds))

function isFaultKind(text: string): text is KindName {
  return NAMES.includes(text)
}
