import { advanceClock, getClock, setClock } from './clock.ts'
import { craftDelivery, getDelivery, listDeliveries } from './deliveries.ts'
import { copyDelivery, getJobCopies } from './delivery-copies.ts'
import { streamEvents } from './events.ts'
import { addFault, clearFaults, listFaultKinds, listFaults, removeFault } from './faults.ts'
import { getCurrentBody, getJob, listJobs, resendJob } from './jobs.ts'
import { getHistory } from './look-back.ts'
import { describeObject } from './object-descriptions.ts'
import { changeObject, createObject, getObject, listObjects, moveObject } from './objects.ts'
import type { ControlOperations } from './operation.ts'
import {
  clearNextOutcomes,
  getPayment,
  listNextOutcomes,
  listPaymentKinds,
  listPayments,
  playPayment,
  setNextOutcome,
  takePaymentStep,
} from './payments.ts'
import { listReadings, setReadings } from './readings.ts'
import { addRegistration, changeRegistration, listRegistrations } from './registrations.ts'
import { listRequests } from './requests.ts'
import {
  claimWorld,
  getRun,
  listChecks,
  listRuns,
  previewRehearsal,
  releaseWorld,
  startChecks,
  startRehearsal,
  stopRun,
} from './runs.ts'
import { listTimeline } from './timeline.ts'
import { addWorld, copyWorld, getWorld, listWorlds, removeWorld } from './worlds.ts'
import {
  diagnose,
  getHealth,
  getSandbox,
  getSnapshot,
  listSnapshotSecrets,
  putSnapshot,
  resetSandbox,
  settle,
} from './sandbox.ts'

/** Every operation of the control API. */
export const controlOperations: ControlOperations = {
  addFault,
  addRegistration,
  addWorld,
  advanceClock,
  changeObject,
  changeRegistration,
  claimWorld,
  clearFaults,
  clearNextOutcomes,
  copyDelivery,
  copyWorld,
  craftDelivery,
  createObject,
  describeObject,
  diagnose,
  getClock,
  getCurrentBody,
  getDelivery,
  getHealth,
  getHistory,
  getJob,
  getJobCopies,
  getObject,
  getPayment,
  getRun,
  getSandbox,
  getSnapshot,
  getWorld,
  listChecks,
  listDeliveries,
  listFaultKinds,
  listFaults,
  listJobs,
  listNextOutcomes,
  listObjects,
  listPaymentKinds,
  listPayments,
  listReadings,
  listRegistrations,
  listRequests,
  listRuns,
  listSnapshotSecrets,
  listTimeline,
  listWorlds,
  moveObject,
  playPayment,
  putSnapshot,
  releaseWorld,
  removeFault,
  removeWorld,
  resendJob,
  resetSandbox,
  setClock,
  setNextOutcome,
  setReadings,
  settle,
  startChecks,
  previewRehearsal,
  startRehearsal,
  stopRun,
  streamEvents,
  takePaymentStep,
}
