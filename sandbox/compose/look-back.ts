import type { ControlContext } from '../api/control/operation.ts'
import type { RealTime } from '../engine/core/ports.ts'
import type { Settings } from '../engine/core/settings.ts'
import type { PastWorld } from '../engine/state/store.ts'
import type { RequestLog } from '../api/control/request-log.ts'
import type { Store } from '../engine/state/store.ts'

export interface LookBackPorts {
  readonly store: Pick<Store, 'length' | 'past'>
  readonly requests: Pick<RequestLog, 'keptSince'>
  readonly realTime: Pick<RealTime, 'after'>
  readonly settings: Pick<Settings, 'readings'>
  readonly closing: AbortController
}

type Past = Pick<ControlContext, 'givenReadings' | 'lookBack' | 'history'>

/** How long a world of the past is kept for the next look; real milliseconds. */
const KEEP_MS = 60_000

/** What operations see of the past. It takes as much memory as the present, until nobody has looked for a while. */
export function createLookBack(ports: LookBackPorts): Past {
  const { store, requests, settings } = ports
  return {
    givenReadings: settings.readings,
    lookBack: withExpiry(store.past, ports),
    history: () => ({
      entries: store.length,
      begins_at: store.past.beginsAt(),
      calls_since: requests.keptSince(),
      instants: store.past.instants,
    }),
  }
}

function withExpiry(
  past: PastWorld,
  { realTime, closing: { signal } }: Pick<LookBackPorts, 'realTime' | 'closing'>,
): PastWorld['at'] {
  let cancel = () => {}
  signal.addEventListener('abort', () => cancel())
  return (instant, read) => {
    cancel()
    if (!signal.aborted) cancel = realTime.after(KEEP_MS, past.forget)
    return past.at(instant, read)
  }
}
