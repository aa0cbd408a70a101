import { useApp } from '../parts/use-app.ts'

interface CopyButtonsProps {
  /** What each gives, by its name on the button; the text is made when it is asked for. */
  readonly texts: readonly (readonly [name: string, text: () => string | Promise<string>])[]
}

/** Puts a text for elsewhere on the clipboard. */
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
