import type { Participant, PaymentEffects, PaymentRow } from '../../spec/payments.ts'
import { origin, markdownTable } from './markdown.ts'

interface Origin {
  readonly source?: string
  readonly reading?: string
}

export interface Lifecycles {
  readonly objects: Readonly<Record<string, ObjectLifecycle>>
  readonly participants: Readonly<Record<string, string>>
  readonly payments: Readonly<Record<string, PaymentRow>>
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

export function lifecyclePages({ objects, payments }: Lifecycles): string[] {
  return [
    '## Life cycles',
    '',
    ...Object.entries(objects).flatMap(([name, lifecycle]) => objectPage(name, lifecycle)),
    '## Payments',
    '',
    'The tables show the notifications of each payment in order of arrival, for callbacks and webhooks alike. *Sets* lists the',
    'field values that the document states. *Changes* lists the changes of wallets, of the disbursement and of the item.',
    'By default, `hookbench check` expects an effect on the object in the last column. The configuration can name another object.',
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
    ...markdownTable(
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
    rows.length === 0
      ? ['The object has no state.', '']
      : markdownTable(['State', 'Code', 'With', 'From'], rows)
  const free =
    all.length > 0 || rows.length === 0
      ? []
      : ['The document shows no transition, so you can set any listed state.', '']
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

function paymentPage(name: string, payment: PaymentRow): string[] {
  const { about, outcomes, participants, notifications, accompanying = {}, consequence, ...from } = payment
  const rows = notifications.flatMap((together, index) =>
    together.map((notification) => [
      String(index + 1),
      kindCell(notification),
      notification.state === 'outcome'
        ? outcomes.map((outcome) => `\`${outcome}\``).join(' or ')
        : `\`${notification.state}\``,
      pairs(notification.sets ?? {}, '; '),
      effectsCell(notification),
      Object.entries(notification.only ?? {})
        .map(([id, option]) => `only if \`${id}\` is \`${option}\``)
        .join('; '),
    ]),
  )
  const accompanied = Object.entries(accompanying).flatMap(([outcome, more]) =>
    more.map(
      (notification) =>
        `The outcome \`${outcome}\` also sends ${kindCell(notification)} \`${notification.state}\` if \`accompanying-notifications\` is \`all\`.`,
    ),
  )
  return [
    `### ${name}`,
    '',
    `${about} (${origin(from)})`,
    '',
    ...markdownTable(['', 'Notification', 'State', 'Sets', 'Changes', ''], rows),
    ...accompanied.flatMap((line) => [line, '']),
    `Participants: ${Object.entries(participants).map(participantText).join(', ')}.`,
    '',
    `A platform acts when ${kindCell(consequence)} reaches the state \`${consequence.state}\`.`,
    '',
  ]
}

function kindCell({ object, type, type_method = '' }: PaymentRow['consequence']): string {
  return `\`${object}\`${type === undefined ? '' : ` ${type} / ${type_method}`}`
}

function pairs(fields: object, separator: string): string {
  return Object.entries(fields)
    .map(([field, value]) => `${field} = ${String(value)}`)
    .join(separator)
}

function effectsCell({ by_outcome = {}, ...always }: PaymentRow['notifications'][number][number]): string {
  const text = ({ wallets = {}, disbursement, item }: PaymentEffects) => [
    ...Object.entries(wallets).map(
      ([role, way]) => `${always.amount ?? 'total'} amount ${way === 'in' ? 'into' : 'out of'} ${role}`,
    ),
    ...(disbursement === undefined ? [] : [`disbursement ${disbursement}`]),
    ...(item ? [`item ${pairs(item, ', ')}`] : []),
  ]
  const branches = Object.entries(by_outcome).flatMap(([outcome, effects]) =>
    text(effects).map((effect) => `if ${outcome}: ${effect}`),
  )
  return [...text(always), ...branches].join('; ')
}

function participantText([role, { owner, pays }]: readonly [string, Participant]): string {
  const more = [
    ...(owner === undefined || role === `${owner}_wallet` ? [] : [`of the ${owner}`]),
    ...(pays === true ? ['which must hold the amount'] : []),
  ]
  return `${role}${more.length === 0 ? '' : ` (${more.join(', ')})`}`
}
