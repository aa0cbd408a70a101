import { useState } from 'preact/hooks'
import type { Fault, FaultKindInfo } from '../../../spec/generated/control-types.ts'
import { exact } from '../parts/exact-text.tsx'
import { CommandLine } from '../parts/act-button.tsx'
import { Field, Form } from '../parts/fields.tsx'
import { countText } from '../parts/names.ts'
import { useApp, useListing } from '../parts/use-app.ts'
import type { CommandValues } from '../palette/command-text.ts'
import { withValue } from '../palette/run-command.ts'
import { Card, type SectionProps, useFindCommand, useStepKeys } from './card.tsx'
import { faultOptions, isActive, newFault } from './fault-options.ts'

/** Shows every kind of fault with a switch. */
export function FaultCards({ chosen }: SectionProps) {
  const { perform } = useApp()
  const kinds = useListing(() => perform('listFaultKinds'))?.kinds ?? []
  useStepKeys('faults', kinds.map(kindName), chosen)
  return (
    <div class="cards">
      {kinds.map((info) => (
        <FaultCard key={kindName(info)} info={info} isChosen={kindName(info) === chosen} />
      ))}
    </div>
  )
}

const kindName = ({ on, kind }: FaultKindInfo) => `${on} ${kind}`

function FaultCard({ info, isChosen }: { readonly info: FaultKindInfo; readonly isChosen: boolean }) {
  const find = useFindCommand()
  const listed = useApp().faults.rows.value?.faults ?? []
  const faults = listed.filter(({ on, kind }) => on === info.on && kind === info.kind)
  const [values, setValues] = useState<CommandValues>(newFault(info))
  const name = kindName(info)
  const active = faults.filter(isActive)
  const isOn = active.length > 0
  const commands = isOn ? active.map(({ id }) => find('faults remove', { id })) : [find('faults add', values)]
  return (
    <Card name={name} isChosen={isChosen} about="switch the fault on or off">
      <Form class="edit" onSend={() => commands.forEach((command) => void command?.run())}>
        <h2>
          <button type="submit" role="switch" class="toggle" aria-checked={isOn} aria-label={name} />{' '}
          <span class="dim">{info.on}</span> {info.kind}
        </h2>
        <p>{info.about.replaceAll('`', '')}</p>
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
      </Form>
      <CommandLine line={commands.map((command) => command?.line ?? '').join(' && ')} />
      {faults.length === 0 && <p class="dim">Off</p>}
      {faults.map((fault) => (
        <p key={fault.id} class={isActive(fault) ? 'bad' : 'dim'}>
          {exact(effectText(fault))}
        </p>
      ))}
    </Card>
  )
}

/** Formats the number of deliveries or calls that the fault changed. */
function effectText(fault: Fault): string {
  const { match, applied, times } = fault
  const count = times === null ? countText(applied, 'time') : `${applied} of ${countText(times, 'time')}`
  const pairs = Object.entries(match).map((pair) => pair.join('='))
  const text = `Applied ${count}, to ${pairs.join(' ') || 'everything'}`
  return isActive(fault) ? text : `${text}: used up`
}
