import { useApp } from '../parts/use-app.ts'

interface CopyButtonsProps {
  /** Name of each button and its text. The text is made on a click. */
  readonly texts: readonly (readonly [name: string, text: () => string | Promise<string>])[]
}

export function CopyButtons({ texts }: CopyButtonsProps) {
  const { ports, run } = useApp()
  return (
    <span class="copies" role="group" aria-label="Copy as">
      <span class="dim">Copy as</span>
      {texts.map(([name, text]) => (
        <button
          key={name}
          type="button"
          onClick={() =>
            void run(
              async () => ports.copy(await text()),
              () => `Copied as ${name}`,
            )
          }
        >
          {name}
        </button>
      ))}
    </span>
  )
}
