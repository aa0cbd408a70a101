import { useState } from 'preact/hooks'
import { PresentOnly } from '../parts/presence.tsx'
import type { Route } from '../state/route.ts'
import { useApp, useKeys, useListing } from '../parts/use-app.ts'
import { CheckPage } from './check-page.tsx'
import { PaymentCards } from './payment-cards.tsx'
import type { Reading, Fault, FaultKindInfo } from '../../../spec/generated/control-types.ts'
import { CommandLine } from '../parts/act-button.tsx'
import { Card, useFindCommand, useStepKeys, type SectionProps } from './card.tsx'
import { exact } from '../parts/exact-text.tsx'
import { Field, Form } from '../parts/fields.tsx'
import { countText } from '../parts/names.ts'
import type { CommandValues } from '../palette/command-text.ts'
import { withValue } from '../palette/run-command.ts'
import { faultOptions, isActive, newFault } from './fault-options.ts'

const SECTIONS = [
  { word: 'payments', title: 'Payments', Section: PaymentCards },
  { word: 'faults', title: 'Faults', Section: FaultCards },
  { word: 'readings', title: 'Readings', Section: ReadingCards },
  { word: 'checks', title: 'Checks', Section: CheckPage },
] as const

export function WorkshopScreen({ path: [word = 'payments', chosen] }: Route) {
  const { go, link } = useApp()
  useKeys(
    SECTIONS.map(({ word: each, title }, index) => ({
      key: String(index + 1),
      about: title.toLowerCase(),
      run: () => go({ screen: 'workshop', path: [each] }),
    })),
  )
  // Run reports are part of the checks section.
  const current = SECTIONS.find((each) => each.word === (word === 'runs' ? 'checks' : word))
  return (
    <section class="workshop">
      <h1 class="hidden">Workshop</h1>
      <nav class="tabs" aria-label="Workshop">
        {SECTIONS.map(({ word: each, title }) => (
          <a
            key={each}
            href={link({ screen: 'workshop', path: [each] })}
            aria-current={each === current?.word ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {current === undefined && <p class="empty">The workshop has no "{word}"</p>}
      {current && (
        <PresentOnly>
          <current.Section word={word} chosen={chosen} />
        </PresentOnly>
      )}
    </section>
  )
}

function ReadingCards({ chosen }: SectionProps) {
  const { perform } = useApp()
  const list = useListing(() => perform('listReadings'), ['readings'])
  const readings = (list?.readings ?? []).filter(({ kind }) => kind !== 'shape')
  const ids = readings.map(({ id }) => id)
  useStepKeys('readings', ids, chosen)
  return (
    <div class="cards">
      {readings.map((reading) => (
        <ReadingCard key={reading.id} {...reading} isChosen={reading.id === chosen} />
      ))}
    </div>
  )
}

function ReadingCard({ isChosen, ...reading }: Reading & { readonly isChosen: boolean }) {
  const { id, about, source, options, value, why, default: usual } = reading
  const find = useFindCommand()
  const command = (option: string) => find('readings set', { id, option })
  const choose = (option: string) => void command(option)?.run(`${id} is ${option} from now on`)
  return (
    <Card name={id} isChosen={isChosen}>
      <h2>
        {id} {value !== usual && <span class="due">changed</span>}
      </h2>
      <p>
        {about} <span class="dim">{source.join(', ')}</span>
      </p>
      {options ? (
        Object.entries(options).map(([option, meaning]) => (
          <label key={option} class="option">
            <input type="radio" name={id} checked={option === value} onChange={() => choose(option)} />
            <span>
              <b class="mono">{option}</b>
              {option === usual && <span class="dim"> by default: {why}</span>}
              <br />
              {meaning}
            </span>
          </label>
        ))
      ) : (
        <form
          class="actions"
          onSubmit={(event) => {
            event.preventDefault()
            const text = new FormData(event.currentTarget).get('text')
            if (typeof text === 'string') choose(text)
          }}
        >
          <input key={value} class="mono" name="text" aria-label={id} required defaultValue={value ?? ''} />
          <button type="submit">Set</button>
        </form>
      )}
      <CommandLine line={command(value ?? '')?.line ?? ''} />
    </Card>
  )
}

function FaultCards({ chosen }: SectionProps) {
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

function effectText(fault: Fault): string {
  const { match, applied, times } = fault
  const count = times === null ? countText(applied, 'time') : `${applied} of ${countText(times, 'time')}`
  const pairs = Object.entries(match).map((pair) => pair.join('='))
  const text = `Applied ${count}, to ${pairs.join(' ') || 'everything'}`
  return isActive(fault) ? text : `${text}: used up`
}
