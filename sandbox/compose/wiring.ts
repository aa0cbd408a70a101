import { validators } from '../../spec/validators.ts'
import { createTranslator } from '../../spec/vocabulary.ts'
import type { Dependencies } from './dependencies.ts'
import { createEventLog, type EventLog } from '../api/control/events.ts'
import type { ControlContext } from '../api/control/operation.ts'
import { createLiveReadings, type LiveReadings } from '../engine/state/live-readings.ts'
import { toEntries } from '../engine/notifications/outbox.ts'
import {
  createUnsubscribedTriggerReport,
  type UnsubscribedTriggerReport,
} from '../engine/notifications/unsubscribed-triggers.ts'
import { newUuid } from '../engine/core/ids.ts'
import { createRequestLog, type RequestLog } from '../engine/state/request-log.ts'
import { createStore, type Store } from '../engine/state/store.ts'
import type { Write } from '../engine/state/write.ts'

/** What knows of the world and of nothing that moves it. */
export interface Wiring {
  readonly store: Store
  readonly readings: LiveReadings
  readonly requests: RequestLog
  readonly events: EventLog
  readonly context: ControlContext
  readonly unsubscribed: UnsubscribedTriggerReport
  /** Commits an operation's writes with the jobs that they trigger. */
  readonly commit: (writes: readonly Write[]) => Promise<void>
  readonly closing: AbortController
}

export function wire(dependencies: Dependencies): Wiring {
  const { ports, settings, egress, source, serviceUrl, onUnsubscribed = () => {} } = dependencies
  const store = createStore(dependencies.log, ports.realTime.soon)
  const readings = createLiveReadings(store, settings.readings)
  const requests = createRequestLog(ports.realTime)
  const events = createEventLog({
    store,
    requests,
    run: ports.realTime.now().toString(36),
    now: ports.clock.now,
  })
  const context: ControlContext = {
    view: store,
    readings: readings.values,
    chosenReadings: readings.chosen,
    credentials: settings.credentials,
    translator: createTranslator(settings.vocabulary),
    egress,
    now: () => ports.clock.now(),
    realNow: () => ports.realTime.now(),
    newId: () => newUuid(ports.random),
    newNumber: () => 1_000_000 + Math.floor(ports.random() * 8_000_000),
    clock: ports.clock,
    serviceUrl,
    validators,
    source,
    requests: requests.list,
    events,
  }
  const unsubscribed = createUnsubscribedTriggerReport({ store, readings: readings.values, onUnsubscribed })
  const commit = (writes: readonly Write[]) =>
    store.commit(toEntries(writes, { ...context, onTrigger: unsubscribed.onTrigger, now: ports.clock.now() }))
  return { store, readings, requests, events, context, unsubscribed, commit, closing: new AbortController() }
}
