import { computed, signal, type ReadonlySignal } from '@preact/signals'
import type { RehearsalRequest, RunDetail } from '../../../spec/generated/control-types.ts'
import { UnreachableError } from '../../client/unreachable.ts'
import type { App } from '../state/app.ts'
import { createListing } from '../state/listing.ts'

/** The newest rehearsal. */
export interface RunState {
  readonly run: ReadonlySignal<RunDetail | undefined>
  readonly isRunning: ReadonlySignal<boolean>
  start(request: RehearsalRequest): void
  stop(): void
  close(): void
}

export function createRunState(app: App, onEnd: (run: RunDetail) => void): RunState {
  const { perform } = app
  /** Empty while one starts. Undefined without one. */
  const id = signal<string | undefined>(undefined)
  const run = signal<RunDetail | undefined>(undefined)
  let isClosed = false
  const { refresh, close } = createListing(app, {
    async load() {
      if (!id.value) return
      run.value = await perform('getRun', { path: { id: id.value } })
      if (run.value.status === 'running') return
      id.value = undefined
      if (!isClosed) onEnd(run.value)
    },
    types: ['run'],
    onError(error) {
      // A restarted sandbox does not know the rehearsal.
      if (!(error instanceof UnreachableError)) id.value = undefined
      app.notices.sayError(error)
    },
  })
  return {
    run,
    isRunning: computed(() => id.value !== undefined),
    start(body) {
      if (id.value !== undefined) return
      id.value = ''
      run.value = undefined
      void app
        .run(() => perform('startRehearsal', { body }))
        .then((begun) => {
          id.value = begun?.id
          return refresh()
        })
    },
    stop() {
      const path = { id: id.value ?? '' }
      if (path.id !== '') void app.run(() => perform('stopRun', { path }))
    },
    close() {
      isClosed = true
      close()
    },
  }
}
