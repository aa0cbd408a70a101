import type { ComponentChildren } from 'preact'

interface TableProps {
  readonly class: string
  readonly heads: readonly string[]
  /** The rows of the body. */
  readonly children: ComponentChildren
}

export function Table({ class: name, heads, children }: TableProps) {
  return (
    <table class={name}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

type Fact = readonly [name: string, value: ComponentChildren]

/** A list of named values. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="summary">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
