import { readingValues, type ReadingId, type ReadingValues } from '../spec/readings.ts'

/** What a run of the sandbox is told, with a default for each. */
export interface Settings {
  readonly readings: ReadingValues
  readonly credentials: Credentials
}

/** The readings that the sandbox honours so far; the others have their defaults. */
const HONOURED: readonly ReadingId[] = [
  'access-token-lifetime',
  'delivery-deadline',
  'job-recording-lag',
  'pending-retries',
  'retry-body',
  'retry-window',
  'test-text',
]

/** Reads `{id: option}` as a user writes it. Throws RangeError with the remedy, for a reading not yet honoured too. */
export function chosenReadings(chosen: Readonly<Record<string, string>>): ReadingValues {
  const values = readingValues(chosen)
  const early = Object.keys(chosen).find((id) => !HONOURED.some((honoured) => honoured === id))
  if (early === undefined) return values
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

export const defaultSettings: Settings = { readings: readingValues(), credentials: defaultCredentials }
