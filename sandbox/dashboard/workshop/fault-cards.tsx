import { useState } from 'preact/hooks'
import type { Fault, FaultKindInfo } from '../../../spec/generated/control-types.ts'
import { ExactText } from '../delivery/exact-text.tsx'
import { countText } from '../parts/names.ts'
import { useApp, useListing } from '../parts/use-app.ts'
import type { CommandValues } from '../palette/command-text.ts'
import { type FindCommand, withValue } from '../palette/run-command.ts'
import { Dialog } from '../parts/pane.tsx'
import { PresentOnly } from '../parts/presence.tsx'
import { Card, CommandLine, Field, type SectionProps, useFindCommand, useStepKeys } from './card.tsx'
import { faultOptions, isActive, newFault } from './fault-options.ts'

/** Every kind of fault with its switch. */
export function FaultCards({ chosen, find }: SectionProps) {
  const kinds = useFaultKinds()
  useStepKeys('faults', kinds.map(kindName), chosen)
  return (
    <div class="cards">
      {kinds.map((info) => (
        <FaultCard key={kindName(info)} info={info} isChosen={kindName(info) === chosen} find={find} />
      ))}
    </div>
  )
}

/** A form for any kind of fault. */
export function FaultDialog() {
  const kinds = useFaultKinds()
  const find = useFindCommand()
  const [chosen, setChosen] = useState('')
  const info = kinds.find((each) => kindName(each) === chosen) ?? kinds[0]
  return (
    <Dialog label="Faults" class="palette">
      <div class="command">
        <select
          aria-label="Kind of fault"
          value={info && kindName(info)}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          {kinds.map((each) => (
            <option key={kindName(each)}>{kindName(each)}</option>
          ))}
        </select>
        {info && find && (
          <PresentOnly>
            <FaultCard key={kindName(info)} info={info} isChosen={false} find={find} />
          </PresentOnly>
        )}
      </div>{' '}
    </Dialog>
  )
}

function useFaultKinds(): readonly FaultKindInfo[] {
  const { perform } = useApp()
  return useListing(() => perform('listFaultKinds'), [])?.kinds ?? []
}

const kindName = ({ on, kind }: FaultKindInfo) => `${on} ${kind}`

interface FaultCardProps {
  readonly info: FaultKindInfo
  readonly isChosen: boolean
  readonly find: FindCommand
}

function FaultCard({ info, isChosen, find }: FaultCardProps) {
  const listed = useApp().faults.rows.value ?? []
  const faults = listed.filter(({ on, kind }) => on === info.on && kind === info.kind)
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
function Effect({ faults }: { readonly faults: readonly Fault[] }) {
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
