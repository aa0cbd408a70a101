import { advanceClock, getClock } from './clock.ts'
import { getJob, listJobs } from './jobs.ts'
import { changeObject, createObject, getObject } from './objects.ts'
import type { ControlOperations } from './operation.ts'
import { getPayment, listPayments, playPayment, takePaymentStep } from './payments.ts'
import { listReadings, setReadings } from './readings.ts'
import { getHealth } from './sandbox.ts'

/** Every operation of the control API. */
export const controlOperations: ControlOperations = {
  advanceClock,
  changeObject,
  createObject,
  getClock,
  getHealth,
  getJob,
  getObject,
  getPayment,
  listPayments,
  playPayment,
  takePaymentStep,
  listJobs,
  listReadings,
  setReadings,
}
