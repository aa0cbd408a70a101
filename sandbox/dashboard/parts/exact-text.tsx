import type { ComponentChildren } from 'preact'
import { countText } from './names.ts'
import { diffLines, prettyJson, splitOddCharacters } from './bodies.ts'

/** Shows a text unchanged, except that invisible characters are shown by name. */
export function exact(text: string): ComponentChildren {
  return splitOddCharacters(text).map((part, index) =>
    part.isOdd ? (
      <span key={index} class="odd">
        {part.text}
      </span>
    ) : (
      part.text
    ),
  )
}

interface JsonViewProps {
  readonly text: string
  readonly label: string
  /** An earlier text. The view shows the differences from this text. */
  readonly before?: string | undefined
}

const SIGNS = { span: ' ', ins: '+', del: '−' } as const

export function JsonView({ text, label, before }: JsonViewProps) {
  const pretty = prettyJson(text) ?? text
  const parts = before === undefined ? undefined : diffLines(prettyJson(before) ?? before, pretty)
  const lines = parts?.flatMap(({ added, removed, value }) => {
    const mark = added ? 'ins' : removed ? 'del' : 'span'
    return value.map((line) => ({ mark, line }) as const)
  })
  return (
    <pre class="json" tabIndex={0} aria-label={label}>
      {lines?.map(({ mark: Mark, line }, index) => (
        <Mark key={index}>
          <span class="sign" aria-hidden="true">
            {SIGNS[Mark]}
          </span>
          {exact(`${line}\n`)}
        </Mark>
      )) ?? exact(pretty)}
    </pre>
  )
}

export function RawBytes({ text, label }: Omit<JsonViewProps, 'before'>) {
  return (
    <details>
      <summary>
        {label} <span class="dim">{countText(new TextEncoder().encode(text).length, 'byte')}</span>
      </summary>
      <pre tabIndex={0} aria-label={label}>
        {exact(text)}
      </pre>
    </details>
  )
}
