import type { ComponentChildren } from 'preact'
import { toPrintable } from '../../engine/core/short-text.ts'
import { exact } from './exact-text.tsx'

interface TableProps {
  readonly class: string
  readonly heads: readonly string[]
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

export type Fact = readonly [name: string, value: ComponentChildren]

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="summary">
      {facts
        .filter(([, value]) => value != null && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{toPrintable(name)}</dt>
            <dd>{typeof value === 'string' ? exact(value) : value}</dd>
          </div>
        ))}
    </dl>
  )
}
