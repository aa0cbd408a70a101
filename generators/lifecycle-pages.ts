import { origin, table } from './markdown.ts'

/** `spec/lifecycles.yaml` as it stands. */
export interface Lifecycles {
  readonly objects: Readonly<Record<string, ObjectLifecycle>>
  readonly payments: Readonly<Record<string, PaymentLifecycle>>
}

interface Origin {
  readonly source?: string
  readonly reading?: string
}

interface ObjectLifecycle {
  readonly states: Readonly<Record<string, Origin & { readonly code?: number; readonly with?: string }>>
  readonly initial?: string
  readonly transitions?: readonly Transition[]
  readonly kinds?: Readonly<Record<string, readonly Transition[]>>
}

interface Transition extends Origin {
  readonly from: string | null
  readonly to: string
  readonly trigger: string
  readonly condition?: string
}

interface PaymentLifecycle extends Origin {
  readonly about: string
  readonly outcomes: readonly string[]
  readonly arrivals: readonly (readonly Arrival[])[]
}

interface Arrival {
  readonly object: string
  readonly type?: string
  readonly type_method?: string
  readonly state: string
  readonly sets?: Readonly<Record<string, string>>
  readonly only?: Readonly<Record<string, string>>
}

/** A state diagram for each object or kind, and the notifications of each payment in order. */
export function lifecyclePages({ objects, payments }: Lifecycles): string[] {
  return [
    '## Life cycles',
    '',
    ...Object.entries(objects).flatMap(([name, lifecycle]) => objectPage(name, lifecycle)),
    '## Payments',
    '',
    'The notifications of each payment, in the order of their arrival; the same for callbacks and webhooks.',
    '',
    ...Object.entries(payments).flatMap(([name, payment]) => paymentPage(name, payment)),
  ]
}

function objectPage(name: string, { states, initial, transitions, kinds }: ObjectLifecycle): string[] {
  const rows = Object.entries(states).map(([state, { code, with: other, ...from }]) => [
    `\`${state}\``,
    code === undefined ? '' : String(code),
    other === undefined ? '' : `npp_payout_state \`${other}\``,
    origin(from),
  ])
  const all = Object.entries(kinds ?? (transitions ? { '': transitions } : {}))
  const diagrams = all.flatMap(([kind, moves]) => [
    ...(kind === '' ? [] : [`**${kind}**`, '']),
    ...diagram(moves, initial),
    ...table(
      ['From', 'To', 'Trigger', 'Condition', 'Source'],
      moves.map(({ from, to, trigger, condition = '', ...rest }) => [
        from ?? '(created)',
        to,
        trigger,
        condition,
        origin(rest),
      ]),
    ),
  ])
  const stateTable =
    rows.length === 0 ? ['It shows no state.', ''] : table(['State', 'Code', 'With', 'From'], rows)
  const free =
    all.length > 0 || rows.length === 0 ? [] : ['No transition is shown: any listed state may be set.', '']
  return [`### Life of ${name}`, '', ...stateTable, ...free, ...diagrams]
}

function diagram(moves: readonly Transition[], initial: string | undefined): string[] {
  const start =
    moves.some(({ from }) => from === null) || initial === undefined ? [] : [`  [*] --> ${initial}`]
  const arrows = moves.map(
    ({ from, to, condition, trigger }) => `  ${from ?? '[*]'} --> ${to}: ${condition ?? trigger}`,
  )
  return ['```mermaid', 'stateDiagram-v2', ...start, ...arrows, '```', '']
}

function paymentPage(name: string, { about, outcomes, arrivals, ...from }: PaymentLifecycle): string[] {
  const rows = arrivals.flatMap((together, index) =>
    together.map(({ object, type, type_method, state, sets = {}, only }) => [
      String(index + 1),
      `\`${object}\`${type === undefined ? '' : ` ${type} / ${type_method ?? ''}`}`,
      state === 'outcome' ? outcomes.map((outcome) => `\`${outcome}\``).join(' or ') : `\`${state}\``,
      Object.entries(sets)
        .map(([field, value]) => `${field} = ${value}`)
        .join('; '),
      only === undefined
        ? ''
        : Object.entries(only)
            .map(([id, option]) => `only where \`${id}\` is \`${option}\``)
            .join(),
    ]),
  )
  return [
    `### ${name}`,
    '',
    `${about} (${origin(from)})`,
    '',
    ...table(['', 'Notification', 'State', 'Sets', ''], rows),
  ]
}
