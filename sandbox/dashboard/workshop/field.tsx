import type { ComponentProps } from 'preact'

type FieldProps = ComponentProps<'input'> & {
  readonly label: string
  readonly onText: (text: string) => void
}

export function Field({ label, onText, ...input }: FieldProps) {
  return (
    <label>
      {label}{' '}
      <input spellcheck={false} {...input} onInput={({ currentTarget }) => onText(currentTarget.value)} />
    </label>
  )
}
