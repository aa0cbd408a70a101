import type { Entry, HeadByKind, HeadOf } from './entries.ts'
import { addCrafted, createCraftedView } from './queries/crafted.ts'
import { insertFault, createFaultView, useFault } from './queries/faults.ts'
import { addToHistory, readHead } from './queries/history.ts'
import { addJob, beginAttempt, cancelJob, createJobView, endAttempt } from './queries/jobs.ts'
import { addObject, createObjectView } from './queries/objects.ts'
import { createPaymentView, putPayment } from './queries/payments.ts'
import {
  createSettingsView,
  forgetSecrets,
  putReadings,
  putSetting,
  removeSetting,
  setNextOutcome,
} from './queries/settings.ts'
import type { StoredWorld } from './queries/world.ts'

/** Adds an entry to the history and to the tables of its kind. Returns the checksum of the entry's row. */
export function addEntry(world: StoredWorld, entry: Entry): number {
  const { state } = world
  const position = ++state.length
  state.latest_at = Math.max(state.latest_at, entry.head.at)
  world.writeLater(world.save)
  apply(world, entry.head, position)
  return addToHistory(world, position, entry)
}

function apply<Kind extends keyof HeadByKind>(
  world: StoredWorld,
  head: HeadOf<Kind>,
  position: number,
): void {
  APPLY[head.kind](world, head, position)
}

/** For each kind of entry, the function that writes the entry's rows outside the history table. */
const APPLY: {
  readonly [Kind in keyof HeadByKind]: (world: StoredWorld, head: HeadByKind[Kind], position: number) => void
} = {
  object(world, head, position) {
    world.state.changed_at = Math.max(world.state.changed_at, head.at)
    addObject(world, head, position)
  },
  registration: (world, { registration: value }, position) =>
    putSetting(world, { kind: 'registration', id: value.id, value, position }),
  deletion: (world, { registration_id }) => removeSetting(world, 'registration', registration_id),
  job: addJob,
  'attempt-start': (world, { job_id }, position) => beginAttempt(world, job_id, position),
  attempt: endAttempt,
  cancellation: (world, { job_id }) => cancelJob(world, job_id),
  clock({ state }, { speed }) {
    if (speed !== undefined) state.speed = speed
  },
  payment: (world, { payment }) => putPayment(world, payment),
  'next-outcome': setNextOutcome,
  secret: forgetSecrets,
  readings: putReadings,
  fault: insertFault,
  'fault-end': (world, { fault_id }) => removeSetting(world, 'fault', fault_id),
  'fault-use': useFault,
  crafted: (world, { id }, position) => addCrafted(world, id, position),
}

export type View = ReturnType<typeof createView>

export function createView(world: StoredWorld) {
  const objects = createObjectView(world)
  return {
    ...objects,
    ...createJobView(world, objects),
    ...createPaymentView(world),
    ...createSettingsView(world),
    ...createFaultView(world),
    ...createCraftedView(world),
    head: (position: number) => readHead(world, position),
    latestAt: () => world.state.latest_at,
    /** Returns the sandbox time of the last change to an object, or 0 if there was no change. */
    changedAt: () => world.state.changed_at,
    chosenSpeed: () => world.state.speed ?? undefined,
  }
}
