import { readingValues } from '../../../spec/readings.ts'

import type { Vocabulary } from '../../../spec/vocabulary.ts'

export interface Settings {
  /** The chosen options, by reading. All other readings have their default value. */
  readonly readings: ChosenReadings
  readonly credentials: Credentials
  readonly vocabulary?: Vocabulary | undefined
}

export type ChosenReadings = Readonly<Record<string, string>>

/** Checks the chosen readings and returns them unchanged. Throws RangeError for an invalid reading. */
export function checkReadings(chosen: ChosenReadings): ChosenReadings {
  readingValues(chosen)
  return chosen
}

/** The credentials of a platform. Reading: token-operation, object-authentication */
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
