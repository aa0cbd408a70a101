import { useApp } from '../parts/use-app.ts'

const MODES = ['real', 'compressed', 'manual'] as const

/** The sandbox's clock, and what moves it. */
export function ClockControls() {
  const { clock, perform, run } = useApp()
  const advance = (by: string) =>
    run(
      () => perform('advanceClock', { body: { by } }),
      ({ attempts }) => `Moved on by ${by}: ${countText(attempts)}`,
    )
  return (
    <div class="clock" role="group" aria-label="Clock">
      <time class="mono" dateTime={toText(clock.now.value)}>
        {toText(clock.now.value).replace('T', ' ').slice(0, 19)}
      </time>
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
      <button type="button" onClick={() => void advance('5m')}>
        +5m
      </button>
      <button
        type="button"
        onClick={() =>
          void run(
            () => perform('settle', { body: {} }),
            ({ settled }) => (settled ? 'Everything is at rest' : 'Something is still under way'),
          )
        }
      >
        Settle
      </button>
    </div>
  )
}

const toText = (time: number) => new Date(time).toISOString()

function countText(attempts: number): string {
  return attempts === 0 ? 'nothing was due' : attempts === 1 ? '1 attempt' : `${attempts} attempts`
}
