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

/** The options of a sandbox for a test. Each has a default. */
export interface SandboxOptions {
  /** The origin of the service. No server listens there. */
  readonly origin?: string
  /** `manual` moves only by `advance`. A number is sandbox seconds per real second. */
  readonly clock?: 'manual' | 'real' | number
  /** The same seed gives the same ids. With a manual clock it gives the same times too. */
  readonly seed?: number
  /** Your receiver of each object type, registered before `createSandbox` resolves. */
  readonly receivers?: Receivers
  /** The options of readings by id, for points that the service's document leaves open. */
  readonly readings?: Readonly<Record<string, string>>
  readonly credentials?: Partial<Credentials>
  /** A SQLite file for the store. Defaults to memory. */
  readonly storePath?: string
}

/** All options. The compiler requires new ones here. */
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
