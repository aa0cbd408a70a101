import { useLayoutEffect } from 'preact/hooks'
import { DEFAULT_WORLD } from '../../../spec/world-name.ts'
import { countText } from '../parts/names.ts'
import { useApp, useKeys } from '../parts/use-app.ts'
import { SCREENS } from '../screens.ts'
import { HOME, formatWorldAddress } from '../state/route.ts'
import { isActive } from '../workshop/fault-options.ts'
import { ClockControls } from './clock-controls.tsx'

export function TopBar() {
  const { route, show, link } = useApp()
  const { screen } = route.value
  const current = SCREENS[screen]?.title === undefined ? '' : screen
  const titles = Object.entries(SCREENS).flatMap(([word, { title }]) => (title ? [{ word, title }] : []))
  return (
    <header class="top-bar">
      <a class="wordmark" href={link(HOME)} aria-label="Hookbench">
        <Hook />
        <span>hookbench</span>
      </a>
      <WorldSwitch screen={current} />
      <nav aria-label="Screens">
        {titles.map(({ word, title }) => (
          <a
            key={word}
            href={link({ screen: word, path: [] })}
            aria-current={current === word ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <ClockControls />
      <RewindButton />
      <FaultCount />
      <StreamDot />
      <button type="button" title="All commands (Ctrl-K)" onClick={() => show({ kind: 'palette' })}>
        Commands
      </button>
      <button type="button" aria-label="Keys" title="Keys (?)" onClick={() => show({ kind: 'help' })}>
        ?
      </button>
    </header>
  )
}

function WorldSwitch({ screen }: { readonly screen: string }) {
  const { worlds, overlay, target } = useApp()
  // Loads the worlds again, because a command may have added or removed a world.
  useLayoutEffect(worlds.refresh, [overlay.value])
  const names = (worlds.rows.value?.worlds ?? []).map(({ name }) => name)
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
            href={`${formatWorldAddress(name)}#/${screen}`}
            aria-current={name === current ? 'page' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
    </>
  )
}

export function Hook() {
  return (
    <svg class="hook" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <path d="M5 25h22M11 25V8M11 12h5a5 5 0 0 1 5 5v1m-3.5 -3l3.5 3.5 3.5 -3.5" />
    </svg>
  )
}

function RewindButton() {
  const { rewind, clock } = useApp()
  const isPast = rewind.isPast.value
  // The time is 0 until the clock has loaded.
  const isKnown = clock.now.value > 0
  const toggle = () => rewind.to(isPast ? undefined : clock.now.value)
  useKeys(isKnown ? [{ key: 'h', about: 'show the past, or go back to now', run: toggle }] : [])
  return (
    <button
      type="button"
      aria-pressed={isPast}
      disabled={!isKnown}
      title="Show the world at a past time (h)"
      onClick={toggle}
    >
      Rewind
    </button>
  )
}

function FaultCount() {
  const { faults, link } = useApp()
  const active = (faults.rows.value?.faults ?? []).filter(isActive)
  const [first] = active
  return (
    <a
      class={first ? 'faults' : 'faults none'}
      title={active.map(({ kind }) => kind).join(', ')}
      href={link({ screen: 'workshop', path: ['faults', ...(first ? [`${first.on} ${first.kind}`] : [])] })}
    >
      {first ? countText(active.length, 'fault') : 'No faults'}
    </a>
  )
}

const STREAM = { connecting: 'Connecting', live: 'Live', cut: 'Offline' } as const

function StreamDot() {
  const state = useApp().stream.value
  if (state === 'no-token' || state === 'refused' || state === 'no-world') return null
  return (
    <span class={`stream ${state}`} role="status" title={state === 'cut' ? 'Connecting again' : undefined}>
      <span class="dot" aria-hidden="true" />
      {STREAM[state]}
    </span>
  )
}
