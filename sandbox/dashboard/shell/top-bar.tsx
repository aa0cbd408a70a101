import { useLayoutEffect } from 'preact/hooks'
import { DEFAULT_WORLD } from '../../../spec/world-name.ts'
import { countText } from '../parts/names.ts'
import { useApp, useKeys } from '../parts/use-app.ts'
import { SCREENS } from '../screens.ts'
import { HOME, formatWorld } from '../state/route.ts'
import { isActive } from '../workshop/fault-options.ts'
import { ClockControls } from './clock-controls.tsx'

const TITLED = SCREENS.filter(({ title }) => title !== undefined)

export function TopBar() {
  const { route, show, link } = useApp()
  // Screens without an entry in the bar belong to the first screen.
  const current = TITLED.find(({ word }) => word === route.value.screen)?.word ?? ''
  return (
    <header class="top-bar">
      <a class="wordmark" href={link(HOME)} aria-label="Hookbench">
        <Hook />
        <span>hookbench</span>
      </a>
      <WorldSwitch screen={current} />
      <nav aria-label="Screens">
        {TITLED.map(({ word, title }) => (
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

interface WorldSwitchProps {
  /** The present screen, which the other world has too. */
  readonly screen: string
}

/** Switches between worlds. Hidden if there is only one. */
function WorldSwitch({ screen }: WorldSwitchProps) {
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

export function Hook() {
  return (
    <svg class="hook" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <path d="M5 25h22M11 25V8M11 12h5a5 5 0 0 1 5 5v1m-3.5 -3l3.5 3.5 3.5 -3.5" />
    </svg>
  )
}

function RewindButton() {
  const { rewind, clock } = useApp()
  const isPast = rewind.at.value !== undefined
  // The time is unknown at first.
  const isKnown = clock.now.value > 0
  const toggle = () => rewind.to(isPast ? undefined : clock.now.value)
  useKeys(isKnown ? [{ key: 'h', about: 'look at what has been, or at now', run: toggle }] : [])
  return (
    <button
      type="button"
      aria-pressed={isPast}
      disabled={!isKnown}
      title="Look at the world as it was (h)"
      onClick={toggle}
    >
      Rewind
    </button>
  )
}

function FaultCount() {
  const { faults, link } = useApp()
  const active = (faults.rows.value ?? []).filter(isActive)
  const [first] = active
  const isNone = first === undefined
  return (
    <a
      class={isNone ? 'faults none' : 'faults'}
      title={active.map(({ kind }) => kind).join(', ')}
      href={link({ screen: 'workshop', path: ['faults', ...(first ? [`${first.on} ${first.kind}`] : [])] })}
    >
      {isNone ? 'No faults' : countText(active.length, 'fault')}
    </a>
  )
}

const STREAM = {
  connecting: 'Connecting',
  live: 'Live',
  cut: 'Offline',
  refused: 'The token was refused',
  'no-world': 'There is no such world',
} as const

function StreamDot() {
  const { kind } = useApp().stream.value
  return (
    <span class={`stream ${kind}`} role="status" title={kind === 'cut' ? 'Connecting again' : undefined}>
      <span class="dot" aria-hidden="true" />
      {STREAM[kind]}
    </span>
  )
}
