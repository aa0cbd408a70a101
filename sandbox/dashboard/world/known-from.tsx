import type { Reading, SpecMark } from '../../../spec/generated/control-types.ts'

interface KnownFromProps {
  readonly mark: SpecMark
  readonly readings: readonly Reading[]
}

/** The source of a value: a section of the document, or a reading with its other choices. */
export function KnownFrom({ mark: { source, reading: id }, readings }: KnownFromProps) {
  if (id === null) return <span class="good">{source === null ? 'unknown' : `stated ${source}`}</span>
  const reading = readings.find((each) => each.id === id)
  return (
    <details>
      <summary>
        <span class="due">read</span> {id}
      </summary>
      <p>{reading?.about}</p>
      <ul>
        {Object.entries(reading?.options ?? {}).map(([option, meaning]) => (
          <li key={option}>
            <b>{option}</b>
            {option === reading?.value && ' (chosen)'}: {meaning}
          </li>
        ))}
      </ul>
    </details>
  )
}
