import { ExactText } from './exact-text.tsx'

interface HeaderTableProps {
  readonly headers: readonly (readonly string[])[]
  /** What they are, such as `Request headers`. */
  readonly title: string
}

/** Headers, which are looked at rarely. */
export function HeaderTable({ headers, title }: HeaderTableProps) {
  if (headers.length === 0) return null
  return (
    <details>
      <summary>
        {title} <span class="dim">{headers.length}</span>
      </summary>
      <dl class="headers mono">
        {headers.map(([name = '', value = ''], index) => (
          <div key={index}>
            <dt>
              <ExactText text={name} />
            </dt>
            <dd>
              <ExactText text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
