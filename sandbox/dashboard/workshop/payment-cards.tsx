import { useState } from 'preact/hooks'
import type { Payment, PaymentKindInfo, PlannedNotification } from '../../../spec/generated/control-types.ts'
import { useApp, useKeys, useListing } from '../parts/use-app.ts'
import type { CommandValues } from '../palette/command-text.ts'
import { type FindCommand, withValue } from '../palette/run-command.ts'
import { Card, CommandLine, Field, type SectionProps, useStepKeys } from './card.tsx'

const PACES = ['instant', 'stepwise', '1m', '10m', '1h', '1d']

/** Every kind of payment with its notifications. */
export function PaymentCards({ chosen, find }: SectionProps) {
  const { perform } = useApp()
  const list = useListing(() => perform('listPaymentKinds'), ['readings', 'world'])
  const page = useListing(() => perform('listPayments', { query: { limit: 100 } }), ['payment', 'world'])
  const kinds = list?.kinds ?? []
  useStepKeys(
    'payments',
    kinds.map(({ kind }) => kind),
    chosen,
  )
  return (
    <div class="cards">
      {kinds.map((info) => (
        <PaymentCard
          key={info.kind}
          info={info}
          payment={page?.payments.findLast(({ kind }) => kind === info.kind)}
          isChosen={info.kind === chosen}
          find={find}
        />
      ))}
    </div>
  )
}

interface PaymentCardProps {
  readonly info: PaymentKindInfo
  /** The newest payment of the kind. */
  readonly payment: Payment | undefined
  readonly isChosen: boolean
  readonly find: FindCommand
}

function PaymentCard({ info, payment, isChosen, find }: PaymentCardProps) {
  const { kind, about, source, forms, endings } = info
  const { selection } = useApp()
  const outcomes = endings.map(({ outcome }) => outcome)
  const [values, setValues] = useState<CommandValues>(
    outcomes.length < 2 ? { kind } : { kind, '--outcome': outcomes[0] ?? '' },
  )
  const set = (name: string) => (text: string) => setValues(withValue(values, name, text))
  const outcome = values['--outcome'] ?? outcomes[0]
  const play = find('play', values)
  return (
    <Card name={kind} isChosen={isChosen} about="play it">
      <h2>{kind}</h2>
      <p class="dim">
        {about} {source}
      </p>
      <Sequence
        notifications={endings.find((each) => each.outcome === outcome)?.notifications ?? []}
        taken={payment && payment.outcome === outcome ? payment.step : -1}
      />
      <form
        class="actions"
        onFocusIn={() => (selection.value = { paymentId: payment?.id })}
        onSubmit={(event) => {
          event.preventDefault()
          void play?.run(`Played ${kind}`)
        }}
      >
        <Choice label="Ends" choices={outcomes} onChoice={set('--outcome')} />
        <Choice label="Via" choices={forms} onChoice={set('--via')} />
        <Field label="Amount" type="number" min={1} placeholder="cents" onText={set('--amount')} />
        <Choice label="Pace" choices={PACES} onChoice={set('--pace')} />
        <button type="submit">Play</button>
      </form>
      <CommandLine line={play?.line ?? ''} />
      <Progress payment={payment} isChosen={isChosen} find={find} />
    </Card>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly choices: readonly string[]
  readonly onChoice: (choice: string) => void
}

/** Hidden if there is only one choice. */
function Choice({ label, choices, onChoice }: ChoiceProps) {
  if (choices.length < 2) return null
  return (
    <label>
      {label}{' '}
      <select onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    </label>
  )
}

/** The state of the newest payment and its next step. */
function Progress({ payment, isChosen, find }: Omit<PaymentCardProps, 'info'>) {
  const isOpen = payment !== undefined && payment.step < payment.steps
  const next = isOpen ? find('next', { id: payment.id.slice(0, 8) }) : undefined
  const step = () => void next?.run()
  useKeys(isChosen && next ? [{ key: 'n', about: 'take its next step', run: step }] : [])
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

interface SequenceProps {
  readonly notifications: readonly PlannedNotification[]
  /** The number of completed steps. */
  readonly taken: number
}

/** The notifications of a payment by step. */
function Sequence({ notifications, taken }: SequenceProps) {
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
              {!happens && (
                <span class="dim">
                  only with{' '}
                  {Object.entries(only)
                    .map((pair) => pair.join('='))
                    .join()}
                </span>
              )}
            </span>
          ))}
        </li>
      ))}
    </ol>
  )
}
