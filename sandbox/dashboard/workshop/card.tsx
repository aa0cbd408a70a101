import type { ComponentChildren, ComponentProps } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { RunSummary } from '../../../spec/generated/control-types.ts'
import { createFindCommand, type FindCommand } from '../palette/run-command.ts'
import { ActButton } from '../parts/act-button.tsx'
import { useApp, useKeys, useListing } from '../parts/use-app.ts'

export interface SectionProps {
  /** The section's word in the address. */
  readonly word: string
  /** The chosen item. */
  readonly chosen: string | undefined
  readonly find: FindCommand
  /** Rehearsals and check runs, newest last. */
  readonly runs: readonly RunSummary[]
}

/** Finds CLI commands. Undefined before they are loaded. */
export function useFindCommand(): FindCommand | undefined {
  const app = useApp()
  const rows = useListing(app.ports.commands, [])
  return useMemo(() => rows && createFindCommand(rows, app), [rows, app])
}

interface CardProps {
  readonly name: string
  /** True if the address names it. */
  readonly isChosen: boolean
  /** The action of Enter. */
  readonly about?: string
  readonly children: ComponentChildren
}

/** An item of the workshop with its controls. */
export function Card({ name, isChosen, about, children }: CardProps) {
  const element = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (isChosen) element.current?.focus()
  }, [isChosen])
  const submit = () => element.current?.querySelector('form')?.requestSubmit()
  useKeys(isChosen && about !== undefined ? [{ key: 'Enter', about, run: submit }] : [])
  return (
    <article
      ref={element}
      class="card"
      tabIndex={-1}
      aria-label={name}
      aria-current={isChosen ? 'true' : undefined}
    >
      {children}
    </article>
  )
}

/** Moves through a section's items with j and k. The address has the current item. */
export function useStepKeys(section: string, names: readonly string[], chosen: string | undefined): void {
  const { go } = useApp()
  function step(by: 1 | -1): void {
    const next = names[chosen === undefined ? 0 : names.indexOf(chosen) + by]
    if (next !== undefined) go({ screen: 'workshop', path: [section, next] })
  }
  useKeys([
    { key: 'j', about: 'next one', run: () => step(1) },
    { key: 'k', about: 'the one before', run: () => step(-1) },
  ])
}

/** The command line for the same action. */
export function CommandLine({ line }: { readonly line: string }) {
  const { ports } = useApp()
  return (
    <p class="terminal">
      <code>{line.split(' ').map((word) => [<span>{word}</span>, ' '])}</code>
      <ActButton aria-label={`Copy ${line}`} act={() => ports.copy(line)} done={() => 'Copied'}>
        Copy
      </ActButton>
    </p>
  )
}

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
