import { SCREENS } from '../screens.ts'
import { ClockControls } from './clock-controls.tsx'
import { WorldSwitch } from './world-switch.tsx'
import { useApp, useKeys } from '../parts/use-app.ts'

/** Where one is, what time it is in the sandbox, what goes wrong on purpose, and whether the page is up to date. */
export function TopBar() {
  const { route, show, link } = useApp()
  // What has no place of its own in the bar is part of the first screen.
  const { word: current } = SCREENS.find(
    ({ word, title }) => word === route.value.screen && title !== undefined,
  ) ?? { word: '' }
  return (
    <header class="top-bar">
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

function RewindButton() {
  const { rewind, clock } = useApp()
  const isPast = rewind.at.value !== undefined
  // In the first moment nobody knows what time it is.
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
  const count = faults.rows.value?.length ?? 0
  const kinds = (faults.rows.value ?? []).map(({ kind }) => kind).join(', ')
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
  cut: 'Cut off',
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
