import { useState } from 'preact/hooks'
import type { Fault, FaultKindInfo } from '../../../spec/generated/control-types.ts'
import { ExactText } from '../delivery/exact-text.tsx'
import { countText } from '../parts/names.ts'
import { useApp, useListing } from '../parts/use-app.ts'
import type { CommandValues } from '../palette/command-text.ts'
import { Card, useStepKeys } from './card.tsx'
import { CommandLine } from './command-line.tsx'
import { Field } from './field.tsx'
import { withValue, type FindCommand } from './commands.ts'
import { faultOptions, isActive, newFault } from './fault-options.ts'
import type { SectionProps } from './section.ts'

/** Every kind of fault with its switch. */
export function FaultCards({ chosen, find }: SectionProps) {
  const { perform, faults } = useApp()
  const list = useListing(() => perform('listFaultKinds'), [])
  const kinds = list?.kinds ?? []
  useStepKeys('faults', kinds.map(kindName), chosen)
  return (
    <div class="cards">
      {kinds.map((info) => (
        <FaultCard
          key={kindName(info)}
          info={info}
          faults={(faults.rows.value ?? []).filter(({ on, kind }) => on === info.on && kind === info.kind)}
          isChosen={kindName(info) === chosen}
          find={find}
        />
      ))}
    </div>
  )
}

export const kindName = ({ on, kind }: FaultKindInfo) => `${on} ${kind}`

interface FaultCardProps {
  readonly info: FaultKindInfo
  /** The active faults of the kind. */
  readonly faults: readonly Fault[]
  readonly isChosen: boolean
  readonly find: FindCommand
}

export function FaultCard({ info, faults, isChosen, find }: FaultCardProps) {
  const [values, setValues] = useState<CommandValues>(newFault(info))
  const name = kindName(info)
  const isOn = faults.some(isActive)
  const commands = isOn
    ? faults.filter(isActive).map(({ id }) => find('faults remove', { id }))
    : [find('faults add', values)]
  return (
    <Card name={name} isChosen={isChosen} about="switch it on or off">
      <form
        class="edit"
        onSubmit={(event) => {
          event.preventDefault()
          for (const command of commands) void command?.run()
        }}
      >
        <h2>
          <button type="submit" role="switch" class="toggle" aria-checked={isOn} aria-label={name} />{' '}
          <span class="dim">{info.on}</span> {info.kind}
        </h2>
        <p>{info.about}</p>
        <fieldset class="actions" disabled={isOn}>
          {faultOptions(info).map((option) => (
            <Field
              key={option.name}
              {...option}
              class="mono"
              value={String(values[option.name] ?? '')}
              onText={(text) => setValues(withValue(values, option.name, text))}
            />
          ))}
        </fieldset>
      </form>
      <CommandLine line={commands.map((command) => command?.line ?? '').join(' && ')} />
      <Effect faults={faults} />
    </Card>
  )
}

/** The number of applied faults. */
function Effect({ faults }: Pick<FaultCardProps, 'faults'>) {
  if (faults.length === 0) return <p class="dim">Off</p>
  return (
    <>
      {faults.map((fault) => (
        <p key={fault.id} class={isActive(fault) ? 'bad' : 'dim'}>
          <ExactText text={effectText(fault)} />
        </p>
      ))}
    </>
  )
}

function effectText(fault: Fault): string {
  const { match, applied, times } = fault
  const count = times === null ? countText(applied, 'time') : `${applied} of ${countText(times, 'time')}`
  const text = `Applied ${count}, to ${formatMatch(match)}`
  return isActive(fault) ? text : `${text}: used up`
}

function formatMatch(match: Fault['match']): string {
  const pairs = Object.entries(match).map((pair) => pair.join('='))
  return pairs.length === 0 ? 'everything' : pairs.join(' ')
}
