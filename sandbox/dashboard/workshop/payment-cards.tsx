import { useState } from 'preact/hooks'
import type { Payment, PaymentKindInfo, PaymentEnding } from '../../../spec/generated/control-types.ts'
import { formatMoney } from '../../../spec/money.ts'
import { CommandLine } from '../parts/act-button.tsx'
import { Choice, Field, Form } from '../parts/fields.tsx'
import { useApp, useKeys, useListing } from '../parts/use-app.ts'
import type { CommandValues } from '../palette/command-text.ts'
import { withValue } from '../palette/run-command.ts'
import { Card, type SectionProps, useFindCommand, useStepKeys } from './card.tsx'

const PACES = ['instant', 'stepwise', '1m', '10m', '1h', '1d']

export function PaymentCards({ chosen }: SectionProps) {
  const { perform } = useApp()
  const kinds = useListing(() => perform('listPaymentKinds'), ['readings'])?.kinds ?? []
  const page = useListing(() => perform('listPayments', { query: { limit: 100 } }), ['payment'])
  const names = kinds.map(({ kind }) => kind)
  useStepKeys('payments', names, chosen)
  return (
    <div class="cards">
      {kinds.map((info) => (
        <PaymentCard
          key={info.kind}
          info={info}
          payment={page?.payments.findLast(({ kind }) => kind === info.kind)}
          isChosen={info.kind === chosen}
        />
      ))}
    </div>
  )
}

interface PaymentCardProps {
  readonly info: PaymentKindInfo
  readonly payment: Payment | undefined
  readonly isChosen: boolean
}

function PaymentCard({ info, payment, isChosen }: PaymentCardProps) {
  const find = useFindCommand()
  const { kind, about, source, forms, endings } = info
  const { selection } = useApp()
  const outcomes = endings.map(({ outcome }) => outcome)
  const [values, setValues] = useState<CommandValues>(
    outcomes.length < 2 ? { kind } : { kind, '--outcome': outcomes[0] ?? '' },
  )
  const set = (name: string) => (text: string) => setValues(withValue(values, name, text))
  const ending = endings.find(({ outcome }) => outcome === (values['--outcome'] ?? outcomes[0]))
  const play = find('play', values)
  const choices = [
    ['Ends', '--outcome', outcomes],
    ['Via', '--via', forms],
    ['Pace', '--pace', PACES],
  ] as const
  return (
    <Card name={kind} isChosen={isChosen} about="play it">
      <h2>{kind}</h2>
      <p class="dim">
        {about} {source}
      </p>
      <Sequence
        notifications={ending?.notifications ?? []}
        taken={payment && payment.outcome === ending?.outcome ? payment.step : -1}
      />
      <Form
        class="actions"
        onFocusIn={() => (selection.value = { paymentId: payment?.id })}
        onSend={() => void play?.run(`Played ${kind}`)}
      >
        <Field label="Amount in cents" type="number" min={1} onText={set('--amount')} />
        {values['--amount'] && <span class="money">{formatMoney(Number(values['--amount']), 'AUD')}</span>}
        {choices
          .filter(([, , options]) => options.length > 1)
          .map(([label, name, options]) => (
            <label key={name}>
              {label} <Choice options={options} onChoice={set(name)} />
            </label>
          ))}
        <button type="submit">Play</button>
      </Form>
      <CommandLine line={play?.line ?? ''} />
      <Progress payment={payment} isChosen={isChosen} />
    </Card>
  )
}

function Progress({ payment, isChosen }: Omit<PaymentCardProps, 'info'>) {
  const find = useFindCommand()
  const isOpen = payment !== undefined && payment.step < payment.steps
  const next = isOpen ? find('next', { id: payment.id.slice(0, 8) }) : undefined
  const step = () => void next?.run()
  useKeys(isChosen && next ? [{ key: 'n', about: 'take the next step', run: step }] : [])
  if (!payment) return <p class="actions dim">Not played yet</p>
  return (
    <div class="actions">
      Step {payment.step} of {payment.steps}
      {payment.next_due_at !== null && <span class="due">next at {payment.next_due_at.slice(11, 19)}</span>}
      {next && (
        <>
          <button type="button" aria-label={`Next step of ${payment.kind}`} onClick={step}>
            Next step
          </button>
          <code class="dim">{next.line}</code>
        </>
      )}
    </div>
  )
}

function Sequence({
  notifications,
  taken,
}: Pick<PaymentEnding, 'notifications'> & { readonly taken: number }) {
  return (
    <ol class="sequence" aria-label="Notifies">
      {[...Map.groupBy(notifications, ({ step }) => step)].map(([step, together]) => (
        <li
          key={step}
          class={step <= taken ? 'taken' : ''}
          aria-current={step === taken ? 'step' : undefined}
        >
          {together.map(({ number, object_type, type, type_method, state, only, happens }) => (
            <span
              key={number}
              class={happens ? 'chip' : 'chip off'}
              title={[object_type, type, type_method].filter(Boolean).join(' ')}
            >
              <span class="dim">
                {number} {object_type}
              </span>
              <b>{state}</b>
              {!happens && <span class="dim">only with {formatPairs(only)}</span>}
            </span>
          ))}
        </li>
      ))}
    </ol>
  )
}

const formatPairs = (pairs: object) =>
  Object.entries(pairs)
    .map((pair) => pair.join('='))
    .join()
