import { useLayoutEffect } from 'preact/hooks'
import { DEFAULT_WORLD } from '../../../spec/world-name.ts'
import { useApp } from '../parts/use-app.ts'
import { formatWorld } from '../state/world-in-address.ts'

interface WorldSwitchProps {
  /** Of the screen that is shown, which another world has, too. */
  readonly screen: string
}

/** Which of the sandbox's worlds is shown, and the way to the others; nothing where there is but one. */
export function WorldSwitch({ screen }: WorldSwitchProps) {
  const { worlds, overlay, target } = useApp()
  // A command may have added one or removed it.
  useLayoutEffect(() => void worlds.refresh(), [overlay.value])
  const names = (worlds.rows.value ?? []).map(({ name }) => name)
  const { world: current = DEFAULT_WORLD } = target.value
  if (names.length < 2) return null
  return (
    <>
      <button type="button" popovertarget="worlds">
        <span class="dim">World</span> {current}
      </button>
      <nav id="worlds" popover="auto" aria-label="Worlds">
        {names.map((name) => (
          <a
            key={name}
            href={`${formatWorld(name)}#/${screen}`}
            aria-current={name === current ? 'page' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
    </>
  )
}

/** Where the address names a world that there is not, or not any more. */
export function NoWorld() {
  return (
    <main>
      <section class="empty">
        <h1>There is no world "{useApp().ports.world}"</h1>
        <p>
          It was removed, or its time is over. <a href="/">Go to the default world</a>
        </p>
      </section>
    </main>
  )
}
