import { defaultCredentials, type Credentials } from '../engine/core/settings.ts'
import { FASTEST } from '../engine/core/ports.ts'
import {
  checkArgument,
  object,
  optional,
  refuseUnknownOptions,
  text,
  type ArgumentKind,
} from './arguments.ts'
import type { Receivers } from './receivers.ts'

/** The options of a sandbox for a test. Each option has a default. */
export interface SandboxOptions {
  /** The origin of the service URLs. No server listens at this origin. */
  readonly origin?: string
  /** The mode of the clock. A `manual` clock moves only when you call `advance`. A number means sandbox seconds per real second. */
  readonly clock?: 'manual' | 'real' | number
  /** The seed for random values. The same seed gives the same ids, and with a manual clock also the same times. */
  readonly seed?: number
  /** Your receiver for each object type. `createSandbox` registers the receivers before it resolves. */
  readonly receivers?: Receivers
  /** The chosen option for each reading, keyed by reading id. Readings decide points that the service's document leaves open. */
  readonly readings?: Readonly<Record<string, string>>
  readonly credentials?: Partial<Credentials>
  /** The path of the SQLite file that stores the data. By default, the data is in memory. */
  readonly storePath?: string
}

/** All options with their accepted values. If an option has no entry here, the compiler reports a type error. */
const OPTIONS: { readonly [Name in keyof Required<SandboxOptions>]: ArgumentKind } = {
  origin: { takes: "an origin such as 'https://service.test'", fits: isOrigin },
  clock: {
    takes: `'manual', 'real', or sandbox seconds per real second from 0 to ${FASTEST}`,
    fits: (given) =>
      given === 'manual' || given === 'real' || (typeof given === 'number' && given >= 0 && given <= FASTEST),
  },
  seed: { takes: 'a whole number such as 1', fits: Number.isSafeInteger },
  receivers: object('an object with a function for each object type'),
  readings: object("an object such as { 'retry-window': '24h' }"),
  credentials: object("an object such as { client_id: 'sandbox' }"),
  storePath: text('the path of a file'),
}

export function validateOptions(options: SandboxOptions): void {
  const action = 'create a sandbox'
  refuseUnknownOptions(action, options, Object.keys(OPTIONS))
  for (const [name, { takes, fits }] of Object.entries(OPTIONS)) {
    const kind = optional({ takes, fits })
    checkArgument(action, [name, kind], Reflect.get(options, name))
  }
  const { credentials = {} } = options
  refuseUnknownOptions('create credentials', credentials, Object.keys(defaultCredentials))
  for (const [name, value] of Object.entries(credentials)) {
    checkArgument('create credentials', [name, text('text')], value)
  }
}

function isOrigin(given: unknown): boolean {
  const url = URL.parse(String(given))
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === ''
}
