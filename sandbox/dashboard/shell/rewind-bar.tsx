import { useLayoutEffect, useRef } from 'preact/hooks'
import { useApp } from '../parts/use-app.ts'

/** Shows the past: a slider over the history, and the way back to now. */
export function RewindBar({ at }: { readonly at: number }) {
  const { rewind } = useApp()
  const slider = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => slider.current?.focus(), [])
  const history = rewind.history.value
  const instants = (history?.instants ?? []).map((each) => Date.parse(each))
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
        // Between two instants the world is as at the earlier one.
        value={Math.max(
          0,
          instants.findLastIndex((each) => each <= at),
        )}
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
