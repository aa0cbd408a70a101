import { readingValues, type ReadingId } from '../spec/readings.ts'

import type { Vocabulary } from './vocabulary.ts'

/** What a run of the sandbox is told, with a default for each. */
export interface Settings {
  /** What is chosen of the readings; the rest has its default. */
  readonly readings: ChosenReadings
  readonly credentials: Credentials
  /** Words of the platform for neutral words of the document. */
  readonly vocabulary?: Vocabulary | undefined
}

/** An option for each reading that is chosen, as a user writes it. */
export type ChosenReadings = Readonly<Record<string, string>>

/** The readings that the sandbox honours so far; the others have their defaults. */
const HONOURED: readonly ReadingId[] = [
  'withdraw-kind',
  'environment',
  'accompanying-notifications',
  'access-token-lifetime',
  'callback-list',
  'callback-retry',
  'delivery-deadline',
  'disbursement-changes',
  'job-recording-lag',
  'pending-retries',
  'realtime-payout-sequence',
  'retry-body',
  'retry-window',
  'signature',
  'test-text',
]

/** Lets `{id: option}` pass if it is right. Throws RangeError with the remedy, for a reading not yet honoured too. */
export function chosenReadings(chosen: ChosenReadings): ChosenReadings {
  readingValues(chosen)
  const early = Object.keys(chosen).find((id) => !HONOURED.some((honoured) => honoured === id))
  if (early === undefined) return chosen
  throw new RangeError(
    `Cannot set reading "${early}": the sandbox does not honour it yet; it honours ${HONOURED.join(', ')}`,
  )
}

/** What a platform authenticates with. Reading: token-operation, object-authentication */
export interface Credentials {
  readonly client_id: string
  readonly client_secret: string
  readonly email: string
  readonly api_token: string
}

export const defaultCredentials: Credentials = {
  client_id: 'sandbox',
  client_secret: 'sandbox-secret',
  email: 'sandbox@example.test',
  api_token: 'sandbox-token',
}

export const defaultSettings: Settings = { readings: {}, credentials: defaultCredentials }
