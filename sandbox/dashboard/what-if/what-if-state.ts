import { computed, signal, type ReadonlySignal } from '@preact/signals'
import type {
  RehearsalDelivery,
  RehearsalNotification,
  RehearsalOrderResult,
  RehearsalPreview,
  RehearsalRequest,
  RunDetail,
} from '../../../spec/generated/control-types.ts'
import type { App } from '../state/app.ts'
import { createListing } from '../state/listing.ts'
import {
  type Chip,
  createOrder,
  describeChip,
  formatDeliveries,
  moveChip,
  type Order,
  toDeliveries,
} from './order.ts'
import { UnreachableError } from '../../client/unreachable.ts'

/** A payment, its edited order, and the result. */
export interface WhatIf extends OrderEditor, Omit<RunState, 'start'> {
  /** Undefined before the payment is known. */
  readonly preview: ReadonlySignal<RehearsalPreview | undefined>
  /** The reason why the order cannot be played. Empty if it can. */
  readonly problem: ReadonlySignal<string>
  /** For screen readers. */
  readonly said: ReadonlySignal<string>
  /** The result of the shortest failing order, or else of the played order. */
  readonly result: ReadonlySignal<RehearsalOrderResult | undefined>
  /** True if the order did not change since. */
  readonly isCurrent: ReadonlySignal<boolean>
  find(chip: Chip | undefined): RehearsalNotification | undefined
  /** Returns a name such as `@2 items completed`. */
  nameOf(chip: Chip): string
  /** Returns the order in the form of a rehearsal. */
  ask(): Promise<RehearsalPreview>
  play(shrink: boolean): void
  /** Shows another order. An empty word is the documented order. */
  show(word: string): void
  refresh(): void
}

/** The address's word for a default. */
const NONE = '-'

/** Creates the state. The address has the payment, the outcome, the order, the amount and the form. */
export function createWhatIf(
  app: App,
  [kind = '', outcome = NONE, given = '', ...rest]: readonly string[],
): WhatIf {
  const said = signal('')
  const routeTo = (word: string) => ({ screen: 'what-if', path: [kind, outcome, word || NONE, ...rest] })
  const editor: OrderEditor = createOrderEditor(given, () => {
    app.replace(routeTo(editor.word.value))
    const chip = editor.chosen.value
    if (chip) said.value = [nameOf(chip), ...describeChip(editor.order.value, chip)].join(', ')
    previews.refresh()
  })
  const request = () => readRequest([kind, outcome, ...rest], toDeliveries(editor.order.value))
  const { start, ...running } = createRunState(app, (ended) => {
    const { rehearsal } = ended
    said.value = describeEnd(ended)
    // The order may have changed during the run, and no preview was loaded.
    previews.refresh()
    if (rehearsal?.shortest) app.go(routeTo(formatDeliveries(rehearsal.shortest.deliveries)))
  })
  const { run, isRunning, close } = running
  const ask = () => app.perform('previewRehearsal', { body: request() })
  const previews = createPreviews(app, editor, { isRunning, ask })
  const find = (chip: Chip | undefined) =>
    previews.preview.value?.notifications.find(({ number }) => number === chip?.number)
  const nameOf = (chip: Chip) => {
    const { object_type, state } = find(chip) ?? {}
    return `@${editor.order.value.indexOf(chip) + 1} ${object_type} ${state}`
  }
  const result = computed(() => resultOf(run.value))
  return {
    ...editor,
    ...running,
    ...previews,
    said,
    result,
    isCurrent: computed(() => formatDeliveries(result.value?.deliveries ?? []) === editor.word.value),
    find,
    nameOf,
    ask,
    play(shrink) {
      said.value = 'Playing'
      start({ ...request(), shrink })
    },
    show: (word) => app.go(routeTo(word)),
    close() {
      previews.close()
      close()
    },
  }
}

function resultOf(run: RunDetail | undefined): RehearsalOrderResult | undefined {
  return run?.rehearsal?.shortest ?? run?.rehearsal ?? undefined
}

function describeEnd(run: RunDetail): string {
  return [run.headline ?? run.error ?? run.status, resultOf(run)?.actual].filter(Boolean).join(': ')
}

function createPreviews(
  app: App,
  editor: OrderEditor,
  { isRunning, ask }: Pick<WhatIf, 'isRunning' | 'ask'>,
) {
  const problem = signal('')
  const { rows, refresh, close } = createListing<RehearsalPreview>(app, {
    async load(): Promise<RehearsalPreview> {
      // A run's world is gone at its end.
      if (rows.value && isRunning.value) return rows.value
      const preview = await ask()
      problem.value = ''
      if (editor.word.value === '') editor.take(formatDeliveries(preview.deliveries))
      return preview
    },
    types: ['registration', 'registration_removed', 'readings'],
    onError: (error) => (problem.value = error instanceof Error ? error.message : String(error)),
  })
  return { preview: rows, problem, refresh: () => void refresh(), close }
}

function readRequest(
  [kind = '', outcome, amount, via]: readonly string[],
  deliveries: RehearsalDelivery[],
): RehearsalRequest {
  return {
    kind,
    ...(outcome !== NONE && { outcome }),
    ...(Number(amount) > 0 && { amount: Number(amount) }),
    ...(via !== undefined && { via }),
    ...(deliveries.length > 0 && { deliveries }),
  }
}

/** The newest rehearsal. */
interface RunState {
  readonly run: ReadonlySignal<RunDetail | undefined>
  readonly isRunning: ReadonlySignal<boolean>
  start(request: RehearsalRequest): void
  stop(): void
  close(): void
}

function createRunState(app: App, onEnd: (run: RunDetail) => void): RunState {
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

/** An order, and which of its deliveries is chosen. */
export interface OrderEditor {
  readonly order: ReadonlySignal<Order>
  /** As the address has it. */
  readonly word: ReadonlySignal<string>
  readonly chosen: ReadonlySignal<Chip | undefined>
  choose(chip: Chip | undefined): void
  /** Moves the choice by so many chips. */
  step(by: number): void
  /** Changes the order around the chosen chip. */
  edit(change: (order: Order, chip: Chip) => Order): void
  /** Moves the chip during a drag. Only the final edit is reported. */
  drag(to: number): void
  take(word: string): void
}

/** Creates the editor. Calls `onEdit` after each change by hand. */
export function createOrderEditor(given: string, onEdit: () => void): OrderEditor {
  const order = signal(createOrder(given))
  const chosenId = signal(0)
  const chosen = computed(() => order.value.find(({ id }) => id === chosenId.value) ?? order.value[0])
  const change = (by: (order: Order, chip: Chip) => Order) => {
    if (chosen.value) order.value = by(order.value, chosen.value)
  }
  return {
    order,
    word: computed(() => formatDeliveries(toDeliveries(order.value))),
    chosen,
    choose(chip) {
      if (chip) chosenId.value = chip.id
    },
    step(by) {
      const place = order.value.findIndex((chip) => chip === chosen.value)
      chosenId.value = order.value[place + by]?.id ?? chosenId.value
    },
    edit(by) {
      change(by)
      onEdit()
    },
    drag: (to) => change((all, chip) => moveChip(all, chip, to)),
    take(word) {
      order.value = createOrder(word)
    },
  }
}
