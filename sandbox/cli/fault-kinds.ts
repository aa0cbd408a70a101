import type { FaultRequest } from '../../spec/generated/control-types.ts'
import { nearest } from '../nearest.ts'
import { UsageError } from './failure.ts'
import { table } from './terminal.ts'

type FaultKind = FaultRequest['kind']

interface KindRow {
  readonly on: FaultRequest['on']
  readonly about: string
  /** The options that say more. */
  readonly options?: string
}

const KINDS: { readonly [Kind in FaultKind]: KindRow } = {
  duplicate: { on: 'delivery', about: 'sends it again after the answer', options: '--copies' },
  'concurrent-duplicate': { on: 'delivery', about: 'sends it several times at once', options: '--copies' },
  reorder: { on: 'delivery', about: 'holds it back until a later one has gone', options: '--delay' },
  delay: { on: 'delivery', about: 'sends it late', options: '--delay' },
  drop: { on: 'delivery', about: 'never sends it, though the attempt counts' },
  'lost-answer': { on: 'delivery', about: 'sends it, and loses what you answer' },
  'altered-body': { on: 'delivery', about: 'changes what is sent', options: '--set, --body' },
  'stale-body': {
    on: 'delivery',
    about: 'sends an earlier state of the object',
    options: '--revisions-back',
  },
  status: { on: 'api', about: 'answers this status', options: '--status, --body' },
  hang: { on: 'api', about: 'never answers' },
  reset: { on: 'api', about: 'cuts the connection' },
  'stale-show': { on: 'api', about: 'shows an earlier state of the object', options: '--revisions-back' },
  'crafted-show': { on: 'api', about: 'changes what is shown', options: '--set, --body' },
  'rate-limit': { on: 'api', about: 'answers 429 with Retry-After', options: '--retry-after' },
  'expired-token': { on: 'api', about: 'treats the access token as expired' },
}

/** Every kind of fault, in one line each. */
export const FAULT_KINDS_HELP = (['delivery', 'api'] as const)
  .map((on) => {
    const title = on === 'delivery' ? 'of notifications on their way to you' : 'of calls that you make'
    const rows = Object.entries(KINDS)
      .filter(([, kind]) => kind.on === on)
      .map(([name, { about, options }]) => [`  ${name}`, about, options ?? ''])
    return `\nKinds on ${on}, ${title}:\n${table(rows)}`
  })
  .join('\n')

/** The kind of that name. Throws UsageError with the nearest one. */
export function faultKindOf(text: string): FaultKind {
  if (isFaultKind(text)) return text
  const meant = nearest(text, Object.keys(KINDS))
  throw new UsageError(
    `Cannot add fault "${text}": there is no such kind; did you mean "${meant ?? 'duplicate'}"? "npx hookbench faults add --help" lists them`,
  )
}

function isFaultKind(text: string): text is FaultKind {
  return Object.hasOwn(KINDS, text)
}
