import { ExactText } from './exact-text.tsx'
import { diffLines, prettyJson, type DiffLine } from './bodies.ts'

interface JsonViewProps {
  readonly text: string
  /** The accessible name, such as `Body sent by attempt 1`. */
  readonly label: string
  /** The text to compare with. */
  readonly before?: string | undefined
}

const SIGNS = { same: ' ', added: '+', removed: '−' } as const

/** A body with a field on each line, or unchanged if it is not JSON. */
export function JsonView({ text, label, before }: JsonViewProps) {
  const pretty = prettyJson(text) ?? text
  const earlier = before === undefined ? undefined : (prettyJson(before) ?? before)
  const lines = earlier === undefined ? undefined : diffLines(earlier, pretty)
  return (
    <pre class="json" tabIndex={0} aria-label={label}>
      {lines ? lines.map((line, index) => <Line key={index} {...line} />) : <ExactText text={pretty} />}
    </pre>
  )
}

function Line({ kind, text }: DiffLine) {
  const line = (
    <>
      <span class="sign" aria-hidden="true">
        {SIGNS[kind]}
      </span>
      <ExactText text={`${text}\n`} />
    </>
  )
  return kind === 'added' ? <ins>{line}</ins> : kind === 'removed' ? <del>{line}</del> : <span>{line}</span>
}

export function RawBytes({ text, label }: Omit<JsonViewProps, 'before'>) {
  const count = new TextEncoder().encode(text).length
  return (
    <details>
      <summary>
        {label} <span class="dim">{count === 1 ? '1 byte' : `${count} bytes`}</span>
      </summary>
      <pre tabIndex={0} aria-label={label}>
        <ExactText text={text} />
      </pre>
    </details>
  )
}
