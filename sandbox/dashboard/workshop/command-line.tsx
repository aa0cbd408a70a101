import { useApp } from '../parts/use-app.ts'

/** The command line for the same action. */
export function CommandLine({ line }: { readonly line: string }) {
  const { ports, run } = useApp()
  return (
    <p class="terminal">
      <code>{line.split(' ').map((word) => [<span>{word}</span>, ' '])}</code>
      <button
        type="button"
        aria-label={`Copy ${line}`}
        onClick={() =>
          void run(
            () => ports.copy(line),
            () => 'Copied',
          )
        }
      >
        Copy
      </button>
    </p>
  )
}
