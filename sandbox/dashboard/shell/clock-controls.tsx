import { useLayoutEffect, useRef } from 'preact/hooks'
import { duration } from '../../engine/core/short-text.ts'
import { ActButton } from '../parts/act-button.tsx'
import { countText } from '../parts/names.ts'
import { PresentOnly } from '../parts/presence.tsx'
import { useApp, useKeys, useTimelineData } from '../parts/use-app.ts'

const MODES = ['real', 'compressed', 'manual'] as const

export function ClockControls() {
  const { clock, perform, run } = useApp()
  return (
    <div class="clock" role="group" aria-label="Clock">
      <Now />
      <PresentOnly>
        <select
          aria-label="Clock mode"
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
        <ActButton
          title="Wait until nothing is due or under way"
          act={() => perform('settle', { body: {} })}
          done={({ settled }) => (settled ? 'Everything is at rest' : 'Something is still under way')}
        >
          Settle
        </ActButton>
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
  const { clock, perform, run } = useApp()
  const dueAt = useTimelineData().nextDueAt()
  const advance = (by: string) =>
    void run(
      () => perform('advanceClock', { body: { by } }),
      ({ attempts }) => `Moved on: ${attempts === 0 ? 'nothing was due' : countText(attempts, 'attempt')}`,
    )
  const waitMs = (dueAt ?? 0) - clock.now.value
  // Advances by a duration. A running clock may have passed the instant already.
  const toNext = () => {
    if (dueAt !== undefined) advance(`${Math.max(1, waitMs)}ms`)
  }
  useKeys([
    { key: 'a', about: 'move on by five minutes', run: () => advance('5m') },
    { key: 'n', about: 'move on to the next attempt', run: toNext },
  ])
  const due = `The next attempt is due in ${duration(Math.max(0, waitMs))} (n)`
  return (
    <>
      <button type="button" title="Move on by five minutes (a)" onClick={() => advance('5m')}>
        +5m
      </button>
      <button
        type="button"
        disabled={dueAt === undefined}
        title={dueAt === undefined ? 'No attempt is due' : due}
        onClick={toNext}
      >
        Next attempt
      </button>
    </>
  )
}

/** Shows the past with a slider over the history, and the way back to now. */
export function RewindBar({ at }: { readonly at: number }) {
  const { rewind } = useApp()
  const slider = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => slider.current?.focus(), [])
  const history = rewind.history.value
  const instants = (history?.instants ?? []).map((each) => Date.parse(each))
  // Between two instants the world is as at the earlier one.
  const place = instants.findLastIndex((each) => each <= at)
  const time = new Date(at).toISOString().replace('T', ' ').slice(0, 23)
  return (
    <section class="rewind" aria-label="Rewind">
      <p>
        <b>As it was at</b> <time class="mono">{time}</time>, read-only
      </p>
      <input
        ref={slider}
        type="range"
        aria-label="Instant"
        aria-valuetext={time}
        max={Math.max(0, instants.length - 1)}
        value={Math.max(0, place)}
        onInput={({ currentTarget }) => rewind.to(instants[currentTarget.valueAsNumber])}
      />
      <button type="button" onClick={() => rewind.to(undefined)}>
        Back to now <kbd>Esc</kbd>
      </button>
      <p class="dim">
        {instants.length === 1 && 'all at one instant, '}
        {history && `known since ${history.begins_at.replace('T', ' ').slice(0, 19)}`}
        {history?.calls_since && `, calls since ${history.calls_since.slice(11, 19)}`}
      </p>
    </section>
  )
}
