import type { AttemptTimings } from '../../../spec/generated/control-types.ts'
import { findPhases, formatMilliseconds } from './phases.ts'

const PHASE_CLASSES: Readonly<Record<string, string>> = {
  DNS: 'dim',
  TLS: 'due',
  'first byte': 'wait',
  'rest of the answer': 'good',
}

/** The phases of an exchange in real time. */
export function PhaseBar({ timings }: { readonly timings: AttemptTimings }) {
  const phases = findPhases(timings)
  const end = phases.at(-1)?.toMs ?? 0
  if (phases.length === 0) return null
  const share = (ms: number) => (end === 0 ? 0 : (ms / end) * 100)
  return (
    <div class="phases">
      <svg width="100%" height="8" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        {phases.map(({ name, fromMs, toMs }) => (
          <rect
            key={name}
            class={PHASE_CLASSES[name] ?? 'phase'}
            x={share(fromMs)}
            width={share(toMs - fromMs)}
            height="8"
          />
        ))}
      </svg>
      <ul>
        {phases.map(({ name, fromMs, toMs }) => (
          <li key={name}>
            <span class={`key ${PHASE_CLASSES[name] ?? 'phase'}`} /> {name}{' '}
            <b>{formatMilliseconds(toMs - fromMs)}</b>
          </li>
        ))}
        <li class="dim">{formatMilliseconds(end)} in all</li>
      </ul>
    </div>
  )
}
