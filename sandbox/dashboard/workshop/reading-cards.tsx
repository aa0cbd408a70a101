import { useState } from 'preact/hooks'
import type { Reading } from '../../../spec/generated/control-types.ts'
import { useApp } from '../parts/use-app.ts'
import { useListing } from '../parts/use-listing.ts'
import { Card, useStepKeys } from './card.tsx'
import { CommandLine } from './command-line.tsx'
import type { FindCommand } from './commands.ts'
import type { SectionProps } from './section.ts'

/** What the document leaves open and you can choose. */
export function ReadingCards({ chosen, find }: SectionProps) {
  const { perform } = useApp()
  const list = useListing({ load: () => perform('listReadings'), types: ['readings', 'world'] })
  const readings = (list?.readings ?? []).filter(({ kind }) => kind !== 'shape')
  useStepKeys(
    'readings',
    readings.map(({ id }) => id),
    chosen,
  )
  return (
    <div class="cards">
      {readings.map((reading) => (
        <ReadingCard key={reading.id} reading={reading} isChosen={reading.id === chosen} find={find} />
      ))}
    </div>
  )
}

interface ReadingCardProps {
  readonly reading: Reading
  readonly isChosen: boolean
  readonly find: FindCommand
}

function ReadingCard({ reading, isChosen, find }: ReadingCardProps) {
  const { perform, run } = useApp()
  const { id, about, source, options, value, why, default: usual } = reading
  const command = (option: string) => find('readings set', { id, option })
  const choose = (option: string) =>
    void run(
      async () => command(option)?.run(perform),
      () => `${id} is ${option} from now on`,
    )
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
        <TextForm key={value} id={id} value={value ?? ''} onText={choose} />
      )}
      <CommandLine line={command(value ?? '')?.line ?? ''} />
    </Card>
  )
}

interface TextFormProps {
  readonly id: string
  readonly value: string
  readonly onText: (text: string) => void
}

function TextForm({ id, value, onText }: TextFormProps) {
  const [text, setText] = useState(value)
  return (
    <form
      class="actions"
      onSubmit={(event) => {
        event.preventDefault()
        onText(text)
      }}
    >
      <input
        class="mono"
        aria-label={id}
        required
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit">Set</button>
    </form>
  )
}
