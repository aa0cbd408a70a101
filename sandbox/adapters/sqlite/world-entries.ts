import type { Entry, HeadByKind, HeadOf } from '../../engine/state/entries.ts'
import type { View } from '../../engine/state/view.ts'
import { addCrafted, createCraftedView } from './queries/crafted.ts'
import { addFault, createFaultView, endFault, endMatches, useFault } from './queries/faults.ts'
import { addToHistory } from './queries/history.ts'
import { addJob, beginAttempt, cancelJob, createJobView, endAttempt } from './queries/jobs.ts'
import { addObject, createObjectView } from './queries/objects.ts'
import { createPaymentView, putPayment, setNextOutcome } from './queries/payments.ts'
import {
  addSecret,
  createSettingsView,
  putReadings,
  putRegistration,
  removeRegistration,
} from './queries/settings.ts'
import type { World } from './queries/world.ts'

/** Adds an entry to the history, and all that follows from it; returns the checksum of its row. */
export function addEntry(world: World, entry: Entry): number {
  const { state } = world
  const position = ++state.length
  state.latest_at = Math.max(state.latest_at, entry.head.at)
  world.writeLater('counters', world.save)
  apply(world, entry.head, position)
  return addToHistory(world, position, entry)
}

function apply<Kind extends keyof HeadByKind>(world: World, head: HeadOf<Kind>, position: number): void {
  APPLY[head.kind](world, head, position)
}

/** What follows from an entry of each kind. */
const APPLY: {
  readonly [Kind in keyof HeadByKind]: (world: World, head: HeadByKind[Kind], position: number) => void
} = {
  object(world, head, position) {
    world.state.changed_at = Math.max(world.state.changed_at, head.at)
    addObject(world, head, position)
  },
  registration: (world, { registration }, position) => putRegistration(world, registration, position),
  deletion: (world, { registration_id }) => removeRegistration(world, registration_id),
  job: addJob,
  'attempt-start': (world, { job_id }, position) => beginAttempt(world, job_id, position),
  attempt(world, head, position) {
    endAttempt(world, head, position)
    endMatches(world, head)
  },
  cancellation: (world, { job_id }) => cancelJob(world, job_id),
  clock({ state }, { speed }) {
    if (speed !== undefined) state.speed = speed
  },
  payment: (world, { payment }) => putPayment(world, payment),
  'next-outcome': setNextOutcome,
  secret: (world, { set_at }, position) => addSecret(world, position, set_at),
  readings: (world, { chosen }) => putReadings(world, chosen),
  fault: addFault,
  'fault-end': endFault,
  'fault-use': useFault,
  crafted: (world, { id }, position) => addCrafted(world, id, position),
}

/** Reads the rows of a world. */
export function createView(world: World): View {
  const objects = createObjectView(world)
  return {
    ...objects,
    ...createJobView(world, objects),
    ...createPaymentView(world),
    ...createSettingsView(world),
    ...createFaultView(world),
    ...createCraftedView(world),
    latestAt: () => world.state.latest_at,
    changedAt: () => world.state.changed_at,
    chosenSpeed: () => world.state.speed ?? undefined,
  }
}
