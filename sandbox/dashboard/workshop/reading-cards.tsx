import type { Reading } from '../../../spec/generated/control-types.ts'
import { CommandLine } from '../parts/act-button.tsx'
import { useApp, useListing } from '../parts/use-app.ts'
import { Card, type SectionProps, useFindCommand, useStepKeys } from './card.tsx'

/** Shows the points that the document leaves open. */
export function ReadingCards({ chosen }: SectionProps) {
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
