import { duration } from '../../engine/core/short-text.ts'
import { PresentOnly } from '../parts/presence.tsx'
import { useApp, useKeys } from '../parts/use-app.ts'

const MODES = ['real', 'compressed', 'manual'] as const

export function ClockControls() {
  const { clock, perform, run } = useApp()
  return (
    <div class="clock" role="group" aria-label="Clock">
      <Now />
      <PresentOnly>
        <select
          aria-label="What moves the clock"
          value={clock.mode.value}
          onChange={({ currentTarget }) => {
            const mode = MODES.find((each) => each === currentTarget.value) ?? 'real'
            void run(() => perform('setClock', { body: { mode } }))
          }}
        >
          {MODES.map((mode) => (
            <option key={mode} value={mode}>
              {mode === 'compressed' && clock.mode.value === mode ? `${clock.speed.value}×` : mode}
            </option>
          ))}
        </select>
        <AdvanceButtons />
        <button
          type="button"
          title="Wait until nothing is due or under way"
          onClick={() =>
            void run(
              () => perform('settle', { body: {} }),
              ({ settled }) => (settled ? 'Everything is at rest' : 'Something is still under way'),
            )
          }
        >
          Settle
        </button>
      </PresentOnly>
    </div>
  )
}

function Now() {
  const { now } = useApp().clock
  // The time is unknown at first.
  if (now.value === 0) return <time class="mono">…</time>
  const instant = new Date(now.value).toISOString()
  return (
    <time class="mono" dateTime={instant}>
      {instant.replace('T', ' ').slice(0, 19)}
    </time>
  )
}

function AdvanceButtons() {
  const { clock, timeline, perform, run } = useApp()
  void timeline.version.value
  const dueAt = timeline.data.value.nextDueAt()
  const advance = (by: string) =>
    void run(
      () => perform('advanceClock', { body: { by } }),
      ({ attempts }) => `Moved on: ${countText(attempts)}`,
    )
  // Advances by a duration. A running clock may have passed the instant already.
  const toNext = () => {
    if (dueAt !== undefined) advance(`${Math.max(1, dueAt - clock.now.value)}ms`)
  }
  useKeys([
    { key: 'a', about: 'move on by five minutes', run: () => advance('5m') },
    { key: 'n', about: 'move on to the next attempt', run: toNext },
  ])
  const inText = dueAt === undefined ? '' : duration(Math.max(0, dueAt - clock.now.value))
  return (
    <>
      <button type="button" title="Move on by five minutes (a)" onClick={() => advance('5m')}>
        +5m
      </button>
      <button
        type="button"
        disabled={dueAt === undefined}
        title={dueAt === undefined ? 'No attempt is due' : `The next attempt is due in ${inText} (n)`}
        onClick={toNext}
      >
        Next attempt
      </button>
    </>
  )
}

function countText(attempts: number): string {
  return attempts === 0 ? 'nothing was due' : attempts === 1 ? '1 attempt' : `${attempts} attempts`
}
