import { SCREENS } from '../screens.ts'
import { ClockControls } from './clock-controls.tsx'
import { WorldSwitch } from './world-switch.tsx'
import { useApp, useKeys } from '../parts/use-app.ts'
import { isActive } from '../workshop/fault-options.ts'
import { HOME } from '../state/route.ts'

export function TopBar() {
  const { route, show, link } = useApp()
  // Screens without an entry in the bar belong to the first screen.
  const { word: current } = SCREENS.find(
    ({ word, title }) => word === route.value.screen && title !== undefined,
  ) ?? { word: '' }
  return (
    <header class="top-bar">
      <a class="wordmark" href={link(HOME)} aria-label="Hookbench">
        <Hook />
        <span>hookbench</span>
      </a>
      <WorldSwitch screen={current} />
      <nav aria-label="Screens">
        {SCREENS.flatMap(({ word, title }) =>
          title === undefined
            ? []
            : [
                <a
                  key={word}
                  href={link({ screen: word, path: [] })}
                  aria-current={current === word ? 'page' : undefined}
                >
                  {title}
                </a>,
              ],
        )}
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
  const count = active.length
  const kinds = active.map(({ kind }) => kind).join(', ')
  return (
    <a
      class={count === 0 ? 'faults none' : 'faults'}
      title={kinds}
      href={link({ screen: 'workshop', path: ['faults'] })}
    >
      {count === 0 ? 'No faults' : count === 1 ? '1 fault' : `${count} faults`}
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
