import { readingValues } from '../../../spec/readings.ts'

import type { Vocabulary } from '../../../spec/vocabulary.ts'

/** The settings of a run of the sandbox, with a default for each. */
export interface Settings {
  /** What is chosen of the readings; the rest has its default. */
  readonly readings: ChosenReadings
  readonly credentials: Credentials
  /** Words of the platform for neutral words of the document. */
  readonly vocabulary?: Vocabulary | undefined
}

/** An option for each reading that is chosen, as a user writes it. */
export type ChosenReadings = Readonly<Record<string, string>>

/** Lets `{id: option}` pass if it is right. Throws RangeError with the remedy. */
export function checkReadings(chosen: ChosenReadings): ChosenReadings {
  readingValues(chosen)
  return chosen
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
