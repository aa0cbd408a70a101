import type { PlannedNotification } from '../../../spec/generated/control-types.ts'

interface SequenceProps {
  readonly notifications: readonly PlannedNotification[]
  /** The number of completed steps. */
  readonly taken: number
}

/** The notifications of a payment by step. */
export function Sequence({ notifications, taken }: SequenceProps) {
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
