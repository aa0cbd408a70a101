import { computed, signal } from '@preact/signals'
import { errorMessage } from '../../../spec/errors.ts'
import type {
  RehearsalDelivery,
  RehearsalPreview,
  RehearsalRequest,
  RunDetail,
} from '../../../spec/generated/control-types.ts'
import { UnreachableError } from '../../client/unreachable.ts'
import type { App } from '../state/app.ts'
import { createListing } from '../data/listing.ts'
import {
  type Chip,
  createOrder,
  describeChip,
  formatOrderWord,
  moveChip,
  type DeliveryOrder,
  toDeliveries,
} from './order.ts'

export type WhatIf = ReturnType<typeof createWhatIf>

/** The word in the address that means the default value. */
const NONE = '-'

/** Creates the state of the what-if screen. The address contains the payment, outcome, order, amount and form. */
export function createWhatIf(app: App, [kind = '', outcome = NONE, given = '', ...rest]: readonly string[]) {
  /** The text that screen readers announce. */
  const said = signal('')
  const routeTo = (word: string) => ({ screen: 'what-if', path: [kind, outcome, word || NONE, ...rest] })
  const request = () => readRequest([kind, outcome, ...rest], toDeliveries(editor.order.value))
  const editor: OrderEditor = createOrderEditor(given, () => {
    app.replace(routeTo(editor.word.value))
    const chip = editor.chosen.value
    if (chip) said.value = [nameOf(chip), ...describeChip(editor.order.value, chip)].join(', ')
    previews.refresh()
  })
  const { start, ...running } = createRun(app, (ended) => {
    said.value = [ended.headline ?? ended.error ?? ended.status, resultOf(ended)?.actual]
      .filter(Boolean)
      .join(': ')
    // Loads the preview now, because previews are not loaded during a run and the order may have changed.
    previews.refresh()
    const { shortest } = ended.rehearsal ?? {}
    if (shortest) app.go(routeTo(formatOrderWord(shortest.deliveries)))
  })
  const previews = createPreviews(app, request, { isRunning: running.isRunning, editor })
  const find = (chip: Chip | undefined) =>
    previews.preview.value?.notifications.find(({ number }) => number === chip?.number)
  const nameOf = (chip: Chip) => {
    const { object_type, state } = find(chip) ?? {}
    return `@${editor.order.value.indexOf(chip) + 1} ${object_type} ${state}`
  }
  /** The result of the shortest failing order. If no shorter order fails, the result of the played order. */
  const result = computed(() => resultOf(running.run.value))
  return {
    ...editor,
    ...running,
    ...previews,
    said,
    result,
    isCurrent: computed(() => formatOrderWord(result.value?.deliveries ?? []) === editor.word.value),
    find,
    nameOf,
    play(shrink: boolean) {
      said.value = 'Playing'
      void start({ ...request(), shrink })
    },
    /** Shows the order that `word` encodes. An empty word means the documented order. */
    show: (word: string) => app.go(routeTo(word)),
    close() {
      previews.close()
      running.close()
    },
  }
}

function resultOf(run: RunDetail | undefined) {
  return run?.rehearsal?.shortest ?? run?.rehearsal ?? undefined
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

type PreviewParts = Pick<ReturnType<typeof createRun>, 'isRunning'> & { readonly editor: OrderEditor }

function createPreviews(app: App, request: () => RehearsalRequest, { isRunning, editor }: PreviewParts) {
  /** The reason why the order cannot be played. Empty if the order can be played. */
  const problem = signal('')
  const ask = () => app.perform('previewRehearsal', { body: request() })
  const { rows, ...listing } = createListing<RehearsalPreview>(app, {
    async load(): Promise<RehearsalPreview> {
      // Keeps the old preview during a run, because the run uses a temporary world.
      if (rows.value && isRunning.value) return rows.value
      const preview = await ask()
      problem.value = ''
      if (editor.word.value === '') editor.take(formatOrderWord(preview.deliveries))
      return preview
    },
    types: ['registration', 'registration_removed', 'readings'],
    onError: (error) => (problem.value = errorMessage(error)),
  })
  return { preview: rows, problem, ask, ...listing }
}

function createRun({ perform, run: attempt, notices, subscribe }: App, onEnd: (run: RunDetail) => void) {
  const run = signal<RunDetail | undefined>(undefined)
  const isRunning = signal(false)
  let id: string | undefined
  let isClosed = false
  const listing = createListing(
    { subscribe },
    {
      async load() {
        if (id === undefined) return
        run.value = await perform('getRun', { path: { id } })
        if (run.value.status === 'running') return
        forget()
        if (!isClosed) onEnd(run.value)
      },
      types: ['run'],
      onError(error) {
        // Forgets the rehearsal if the sandbox does not have it, for example after a restart.
        if (!(error instanceof UnreachableError)) forget()
        notices.sayError(error)
      },
    },
  )

  function forget(): void {
    id = undefined
    isRunning.value = false
  }

  return {
    run,
    isRunning,
    async start(body: RehearsalRequest) {
      if (isRunning.value) return
      isRunning.value = true
      run.value = undefined
      const begun = await attempt(() => perform('startRehearsal', { body }))
      if (!begun) return forget()
      ;({ id } = begun)
      listing.refresh()
    },
    stop() {
      const path = { id: id ?? '' }
      if (path.id !== '') void attempt(() => perform('stopRun', { path }))
    },
    close() {
      isClosed = true
      listing.close()
    },
  }
}

type OrderEditor = ReturnType<typeof createOrderEditor>

function createOrderEditor(given: string, onEdit: () => void) {
  const order = signal(createOrder(given))
  const chosenId = signal(0)
  const chosen = computed(() => order.value.find(({ id }) => id === chosenId.value) ?? order.value[0])
  const change = (by: (order: DeliveryOrder, chip: Chip) => DeliveryOrder) => {
    if (chosen.value) order.value = by(order.value, chosen.value)
  }
  return {
    order,
    word: computed(() => formatOrderWord(toDeliveries(order.value))),
    chosen,
    choose(chip: Chip | undefined) {
      if (chip) chosenId.value = chip.id
    },
    step(by: number) {
      const place = order.value.findIndex((chip) => chip === chosen.value)
      chosenId.value = order.value[place + by]?.id ?? chosenId.value
    },
    edit(by: (order: DeliveryOrder, chip: Chip) => DeliveryOrder) {
      change(by)
      onEdit()
    },
    /** Moves the chosen chip during a drag. Does not call `onEdit`, which is called only for the final order. */
    drag: (to: number) => change((all, chip) => moveChip(all, chip, to)),
    take(word: string) {
      order.value = createOrder(word)
    },
  }
}
