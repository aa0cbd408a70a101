import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { createFindCommand, type FindCommand } from '../palette/run-command.ts'
import { useApp, useCommands, useKeys } from '../parts/use-app.ts'

export interface SectionProps {
  /** The word in the address that selects this section of the workshop. */
  readonly word: string
  readonly chosen: string | undefined
}

/** Returns a function that finds CLI commands. The function finds no command before the commands are loaded. */
export function useFindCommand(): FindCommand {
  const app = useApp()
  const commands = useCommands()
  return useMemo(() => createFindCommand(commands ?? [], app), [commands, app])
}

interface CardProps {
  readonly name: string
  readonly isChosen: boolean
  /** The description of the action that Enter runs. Undefined if Enter runs no action. */
  readonly about?: string
  readonly children: ComponentChildren
}

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

export function useStepKeys(section: string, names: readonly string[], chosen: string | undefined): void {
  const { go } = useApp()
  function step(by: 1 | -1): void {
    const next = names[chosen === undefined ? 0 : names.indexOf(chosen) + by]
    if (next !== undefined) go({ screen: 'workshop', path: [section, next] })
  }
  useKeys([
    { key: 'j', about: 'next one', run: () => step(1) },
    { key: 'k', about: 'the previous card', run: () => step(-1) },
  ])
}
