import { useLayoutEffect, useRef } from 'preact/hooks'
import { duration } from '../../engine/core/short-text.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Choice } from '../parts/fields.tsx'
import { countText, instantText } from '../parts/names.ts'
import { PresentOnly } from '../parts/presence.tsx'
import { useApp, useKeys, useTimelineData } from '../parts/use-app.ts'

export function ClockControls() {
  const { clock, perform, run } = useApp()
  const [mode, now] = [clock.mode.value, clock.now.value]
  return (
    <div class="clock" role="group" aria-label="Clock">
      {now === 0 ? (
        <time class="mono">…</time>
      ) : (
        <time class="mono" dateTime={new Date(now).toISOString()}>
          {instantText(now).slice(0, 19)}
        </time>
      )}
      <PresentOnly>
        <Choice
          aria-label="Clock mode"
          value={mode}
          options={[
            'real',
            ['compressed', mode === 'compressed' ? `${clock.speed.value}×` : 'compressed'],
            'manual',
          ]}
          onChoice={(chosen) => void run(() => perform('setClock', { body: { mode: chosen } }))}
        />
        <AdvanceButtons />
        <ActButton
          title="Wait until no work is due or in progress"
          act={() => perform('settle', { body: {} })}
          done={({ settled }) =>
            settled ? 'No work is due or in progress' : 'Some work is still in progress'
          }
        >
          Settle
        </ActButton>
      </PresentOnly>
    </div>
  )
}

function AdvanceButtons() {
  const { clock, perform, run } = useApp()
  const dueAt = useTimelineData().nextDueAt()
  const advance = (by: string) =>
    void run(
      () => perform('advanceClock', { body: { by } }),
      ({ attempts }) =>
        `Moved the clock: ${attempts === 0 ? 'no attempt was due' : countText(attempts, 'attempt')}`,
    )
  const waitMs = (dueAt ?? 0) - clock.now.value
  // Advances by a duration, not to a time, because a running clock may already have passed the due time.
  const toNext = () => {
    if (dueAt !== undefined) advance(`${Math.max(1, waitMs)}ms`)
  }
  useKeys([
    { key: 'a', about: 'move the clock by five minutes', run: () => advance('5m') },
    { key: 'n', about: 'move the clock to the next attempt', run: toNext },
  ])
  const due = `The next attempt is due in ${duration(Math.max(0, waitMs))} (n)`
  return (
    <>
      <button type="button" title="Move the clock by five minutes (a)" onClick={() => advance('5m')}>
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

export function RewindBar({ at }: { readonly at: number }) {
  const { rewind } = useApp()
  const slider = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => slider.current?.focus(), [])
  const history = rewind.history.value
  const instants = (history?.instants ?? []).map((each) => Date.parse(each))
  // Between two entries, the page shows the state after the earlier entry.
  const place = instants.findLastIndex((each) => each <= at)
  return (
    <section class="rewind" aria-label="Rewind">
      <p>
        <b>As it was at</b> <time class="mono">{instantText(at)}</time>, read-only
      </p>
      <input
        ref={slider}
        type="range"
        aria-label="Instant"
        aria-valuetext={instantText(at)}
        max={Math.max(0, instants.length - 1)}
        value={Math.max(0, place)}
        onInput={({ currentTarget }) => rewind.to(instants[currentTarget.valueAsNumber])}
      />
      <button type="button" onClick={() => rewind.to(undefined)}>
        Back to now <kbd>Esc</kbd>
      </button>
      <p class="dim">
        {instants.length === 1 && 'all entries are at one instant, '}
        {history && `history since ${instantText(history.begins_at).slice(0, 19)}`}
        {history?.calls_since && `, calls since ${history.calls_since.slice(11, 19)}`}
      </p>
    </section>
  )
}
