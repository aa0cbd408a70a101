import { ExactText } from './exact-text.tsx'
import { prettyJson } from './pretty-json.ts'

interface BodyViewProps {
  readonly text: string
  /** What it is, such as `Body sent by attempt 1`. */
  readonly label: string
  readonly prettyLabel: string
}

/** The bytes as they are, and beside them the same laid out, if it is JSON. */
export function BodyView({ text, label, prettyLabel }: BodyViewProps) {
  const pretty = prettyJson(text)
  const count = new TextEncoder().encode(text).length
  return (
    <div class={pretty === undefined ? 'bodies one' : 'bodies'}>
      <figure>
        <figcaption class="dim">{count === 1 ? '1 byte' : `${count} bytes`}</figcaption>
        <pre tabIndex={0} aria-label={label}>
          <ExactText text={text} />
        </pre>
      </figure>
      {pretty !== undefined && (
        <figure>
          <figcaption class="dim">pretty</figcaption>
          <pre tabIndex={0} aria-label={prettyLabel}>
            <ExactText text={pretty} />
          </pre>
        </figure>
      )}
    </div>
  )
}
