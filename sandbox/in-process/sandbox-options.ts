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

/** How a sandbox of a test is to be; each has a default. */
export interface SandboxOptions {
  /** Where the service seems to be; nothing listens there. */
  readonly origin?: string
  /** `manual` moves only by `advance`; a number is sandbox seconds per real second. */
  readonly clock?: 'manual' | 'real' | number
  /** The same seed gives the same ids; with a manual clock, the same times too. */
  readonly seed?: number
  /** Your receiver of each object type, registered before the sandbox is handed over. */
  readonly receivers?: Receivers
  /** What to choose where the service's document is open, by reading id. */
  readonly readings?: Readonly<Record<string, string>>
  readonly credentials?: Partial<Credentials>
  /** A SQLite file for the store; in memory if left out. */
  readonly storePath?: string
}

/** Each of them, so that the compiler asks for a new one here. */
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

/** Throws for an option that is unknown or has a wrong value. */
export function checkOptions(options: SandboxOptions): void {
  const action = 'create a sandbox'
  checkArgument(action, ['options', object('an object of options')], options)
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
