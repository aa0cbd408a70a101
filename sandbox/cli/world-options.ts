import type { Option } from 'commander'
import type { ConfigFile } from '../../spec/generated/config-types.ts'
import type { WorldRequest } from '../../spec/generated/control-types.ts'
import { formatDuration, parseDuration } from '../../spec/readings.ts'
import { givenCredentials, type CredentialFlags } from './credential-options.ts'
import { choice, option } from './control-command.ts'
import { UsageError } from './failure.ts'
import { speedFactor, whole, withoutUndefined } from './option-values.ts'
import { parseWorldName } from './sandbox-flags.ts'

export interface NewWorldFlags extends CredentialFlags {
  readonly ttl?: number
}

export type BeginningFlags = Pick<ConfigFile, 'seed' | 'clock' | 'speed'>

const FRESH_WORLD = 'new'

export function parseNewName(text: string): string {
  const name = parseWorldName(text)
  if (name !== FRESH_WORLD) return name
  throw new UsageError(
    `Cannot call a world "${FRESH_WORLD}": "check --attach --world ${FRESH_WORLD}" means a fresh world. Give the world another name`,
  )
}

const LONGEST_S = 366 * 24 * 3_600

export function ttlOption(): Option {
  return option(
    '--ttl <duration>',
    'remove the world after this real time, such as 7d, 12h or 30m (default: never)',
    parseTtl,
  )
}

/** Parses a duration and returns seconds as an integer. Throws UsageError for a number without a unit. */
function parseTtl(text: string): number {
  const seconds = Math.round((parseDuration(text) ?? 0) / 1_000)
  if (seconds >= 1 && seconds <= LONGEST_S) return seconds
  throw new UsageError(
    `Cannot use --ttl "${text}": the value must be a duration from 1s to ${formatDuration(LONGEST_S * 1_000)}, such as 7d, 12h or 30m`,
  )
}

/** Creates the options for a world's initial state. A snapshot has its own clock and seed, so --from excludes all other options. */
export function beginningOptions(): Option[] {
  return [
    option('--from <file>', 'start from a snapshot (- for standard input)').conflicts([
      'seed',
      'clock',
      'speed',
    ]),
    option(
      '--seed <number>',
      'seed of the ids; worlds with the same seed have the same ids',
      whole('--seed', { most: 2 ** 32 - 1 }),
    ),
    choice('--clock <mode>', 'real, or manual (moves only with "npx hookbench advance") (default: real)', [
      'real',
      'manual',
    ]).conflicts('speed'),
    option('--speed <factor>', 'sandbox seconds per real second (default: 1)', speedFactor('--clock manual')),
  ]
}

/** Creates options that ignore environment variables, because each world needs its own credentials. */
export function freshCredentialOptions(): Option[] {
  return [
    fresh('--client-id <id>', "the platform's client id (default: a fresh one)"),
    fresh('--client-secret <secret>', 'the client secret (default: a fresh one)'),
    fresh('--email <address>', "the user's e-mail address (default: from the name)"),
    fresh('--api-token <token>', "the user's API token (default: a fresh one)"),
  ]
}

function fresh(flags: string, about: string): Option {
  return option(flags, about, (text: string) => {
    if (text !== '') return text
    const [name] = flags.split(' ')
    throw new UsageError(
      `Cannot use an empty ${name}: the option requires a value. Give a value, or omit the option for a generated value`,
    )
  })
}

export function worldBeginning(flags: NewWorldFlags & BeginningFlags): Omit<WorldRequest, 'name'> {
  const { ttl, seed, clock } = flags
  const speed = clock === undefined ? flags.speed : clock === 'manual' ? 0 : 1
  const credentials = givenCredentials(flags)
  return {
    ...withoutUndefined({ seed, speed, ttl_seconds: ttl }),
    ...(Object.keys(credentials).length > 0 && { credentials }),
  }
}
