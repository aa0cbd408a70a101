import type { ComponentProps } from 'preact'
import { useApp } from './use-app.ts'

interface ActButtonProps<Reply> extends Omit<ComponentProps<'button'>, 'onClick' | 'type'> {
  readonly act: () => Promise<Reply>
  /** Returns the text that the page shows after the action has succeeded. */
  readonly done?: (reply: Reply) => string
}

export function ActButton<Reply>({ act, done, ...button }: ActButtonProps<Reply>) {
  const { run } = useApp()
  return <button {...button} type="button" onClick={() => void run(act, done)} />
}

interface CopyButtonsProps {
  /** The name of each button, and a function that creates the text to copy when the user clicks. */
  readonly texts: readonly (readonly [name: string, text: () => string | Promise<string>])[]
}

export function CopyButtons({ texts }: CopyButtonsProps) {
  const { ports } = useApp()
  return (
    <span class="copies" role="group" aria-label="Copy as">
      <span class="dim">Copy as</span>
      {texts.map(([name, text]) => (
        <ActButton key={name} act={async () => ports.copy(await text())} done={() => `Copied as ${name}`}>
          {name}
        </ActButton>
      ))}
    </span>
  )
}

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
