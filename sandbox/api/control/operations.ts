import * as clock from './clock.ts'
import * as deliveries from './deliveries.ts'
import * as events from './events.ts'
import * as faults from './faults.ts'
import * as jobs from './jobs.ts'
import * as history from './look-back.ts'
import * as objectDescriptions from './object-descriptions.ts'
import * as objects from './objects.ts'
import type { ControlOperations } from './operation.ts'
import * as payments from './payments.ts'
import * as readings from './readings.ts'
import * as registrations from './registrations.ts'
import * as requests from './requests.ts'
import * as runs from './runs.ts'
import * as sandbox from './sandbox.ts'
import * as timeline from './timeline.ts'
import * as worlds from './worlds.ts'

export const controlOperations: ControlOperations = {
  ...clock,
  ...deliveries,
  ...events,
  ...faults,
  ...history,
  ...jobs,
  ...objectDescriptions,
  ...objects,
  ...payments,
  ...readings,
  ...registrations,
  ...requests,
  ...runs,
  ...sandbox,
  ...timeline,
  ...worlds,
}
