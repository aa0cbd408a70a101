import { readingValues, type ReadingValues } from '../spec/readings.ts'

/** What a run of the sandbox is told, with a default for each. */
export interface Settings {
  readonly readings: ReadingValues
  readonly credentials: Credentials
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

export const defaultSettings: Settings = { readings: readingValues(), credentials: defaultCredentials }
