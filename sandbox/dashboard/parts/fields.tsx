import type { ComponentProps } from 'preact'
import { useRef } from 'preact/hooks'
import { useKeys } from './use-app.ts'

type TextInputProps = ComponentProps<'input'> & { readonly onText: (text: string) => void }

export function TextInput({ onText, ...input }: TextInputProps) {
  return (
    <input
      spellcheck={false}
      autocomplete="off"
      {...input}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  )
}

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { readonly onSend: () => void }

export function Form({ onSend, ...form }: FormProps) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault()
        onSend()
      }}
    />
  )
}

type SearchFieldProps = Pick<TextInputProps, 'value' | 'placeholder' | 'onText'> & { readonly label: string }

export function SearchField({ label, ...input }: SearchFieldProps) {
  const element = useRef<HTMLInputElement>(null)
  useKeys([{ key: '/', about: 'search', run: () => element.current?.focus() }])
  return (
    <TextInput
      ref={element}
      type="search"
      aria-label={label}
      placeholder={label}
      {...input}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== 'Enter') return
        // Prevents the browser from also handling the key in the field.
        event.preventDefault()
        event.currentTarget.blur()
      }}
    />
  )
}

type FieldProps = ComponentProps<typeof TextInput> & { readonly label: string }

export function Field({ label, ...input }: FieldProps) {
  return (
    <label>
      {label} <TextInput {...input} />
    </label>
  )
}

interface CheckBoxProps {
  readonly label: string
  readonly checked: boolean
  readonly onCheck: (checked: boolean) => void
}

export function CheckBox({ label, checked, onCheck }: CheckBoxProps) {
  return (
    <label>
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
      />{' '}
      {label}
    </label>
  )
}

type ChoiceProps<Value> = ComponentProps<'select'> & {
  readonly options: readonly (Value | readonly [value: Value, text: string])[]
  readonly onChoice: (value: Value) => void
}

export function Choice<Value extends string>({ options, onChoice, ...select }: ChoiceProps<Value>) {
  const rows = options.map((option) => (typeof option === 'string' ? ([option, option] as const) : option))
  const choose = (chosen: string) => {
    const row = rows.find(([value]) => value === chosen)
    if (row) onChoice(row[0])
  }
  return (
    <select {...select} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {rows.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}
