import { useLayoutEffect } from 'preact/hooks'
import { DEFAULT_WORLD } from '../../../spec/world-name.ts'
import { useApp } from '../parts/use-app.ts'
import { formatWorld } from '../state/route.ts'

interface WorldSwitchProps {
  /** The present screen, which the other world has too. */
  readonly screen: string
}

/** Switches between worlds. Hidden if there is only one. */
export function WorldSwitch({ screen }: WorldSwitchProps) {
  const { worlds, overlay, target } = useApp()
  // A command may have added or removed a world.
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
