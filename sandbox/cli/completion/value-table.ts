import { OPERATIONS } from '../../../spec/generated/service-operations.ts'
import { DEFAULT_WORLD } from '../../../spec/world-name.ts'
import { eventTypes } from '../../api/control/event-text.ts'
import { MATCH_KEYS } from '../fault-options.ts'
import { toCandidate } from './candidate.ts'
import {
  FAULT_KINDS,
  FORMS,
  OUTCOMES,
  PAYMENT_KINDS,
  READING_CHOICES,
  READING_OPTIONS,
  READINGS,
  STATES,
  TYPES,
} from './document-values.ts'
import {
  DELIVERIES,
  FAULTS,
  jobs,
  MOVES,
  OBJECTS,
  objectsOf,
  payments,
  REGISTERED_URLS,
  registrations,
  worlds,
} from './sandbox-values.ts'
import { CONTENT, FILES, FOLDERS, FREE, listOf, oneOf, pairsOf, type ValueSource } from './value-source.ts'

const SERVICE_OPERATIONS = oneOf(Object.values(OPERATIONS).map(({ id, summary }) => [id, summary] as const))
const METHODS = oneOf(['GET', 'POST', 'PATCH', 'DELETE'])

/** What a fault is narrowed to, by its key. */
const MATCHES: Readonly<Record<string, ValueSource>> = {
  object_type: TYPES,
  object_id: OBJECTS,
  generation: oneOf(['webhooks', 'callbacks']),
  registration_id: registrations(),
  job_id: jobs(),
  state: STATES,
  attempt: FREE,
  operation: SERVICE_OPERATIONS,
  method: METHODS,
  path: FREE,
}

const CHECKS: ValueSource = async ({ listChecks }) => ({ candidates: await listChecks() })
const COMMANDS: ValueSource = ({ listCommands, given }) => ({
  candidates: listCommands(given.get('command') ?? []),
})

/** The fields of the type; their schemas are loaded only for them. */
const FIELDS = pairsOf(
  async ({ given }) =>
    (await import('../fields.ts')).listFields(given.get('type')?.[0] ?? '').map((name) => toCandidate(name)),
  (key) => (key === 'state' ? STATES : undefined),
)

/** By the name of an argument, or of an option with its hyphens, for every command that has one. */
const BY_NAME: Readonly<Record<string, ValueSource>> = {
  type: TYPES,
  '--type': TYPES,
  kind: PAYMENT_KINDS,
  outcome: OUTCOMES,
  '--outcome': OUTCOMES,
  '--via': FORMS,
  '--pace': oneOf([
    ['instant', 'all at once'],
    ['stepwise', 'go on with "next"'],
    ['1s', 'or any duration between two steps'],
  ]),
  '--state': STATES,
  '--object': OBJECTS,
  '--item': objectsOf('items'),
  '--user': objectsOf('users'),
  '--job': jobs(),
  '--registration': registrations(),
  '--operation': SERVICE_OPERATIONS,
  '--reading': READING_CHOICES,
  '--match': pairsOf(
    () => MATCH_KEYS.map((key) => toCandidate(key)),
    (key) => MATCHES[key],
  ),
  '--source-addresses': oneOf([['loopback', 'their images in 127.0.0.0/8'], 'x-forwarded-for']),
  '--body': CONTENT,
  '--raw': CONTENT,
  '--data': FOLDERS,
  '--world': worlds(),
  '--from': FILES,
  '--ttl': oneOf(['30m', '2h', '6h', '7d']),
  '--out': FOLDERS,
  file: FILES,
  ...Object.fromEntries(
    ['config', 'vocabulary', 'overlay', 'junit', 'html', 'markdown', 'report-json', 'annotations'].map(
      (name) => [`--${name}`, FILES],
    ),
  ),
  checks: CHECKS,
  '--explain': CHECKS,
  '--mix': listOf(TYPES),
  '--payments': listOf(PAYMENT_KINDS),
  '--require': listOf(oneOf(['effects', 'calls', 'process', 'signature'])),
  command: COMMANDS,
  hosts: oneOf([['localhost', 'this machine']]),
}

/** By the words of a command too, where the name alone does not tell. */
const BY_COMMAND: Readonly<Record<string, ValueSource>> = {
  'create fields': FIELDS,
  'change fields': FIELDS,
  'show id': objectsOf(),
  'change id': objectsOf(),
  'move id': objectsOf(),
  'describe id': objectsOf(),
  'objects --id': objectsOf(),
  'move state': MOVES,
  'payment id': payments({ unfinished: false }),
  'next id': payments({ unfinished: true }),
  'job id': jobs(),
  // Source: §8, §6.1
  'resend job': jobs(({ status, generation }) => status === 'failed' && generation === 'webhooks'),
  'delivery id': DELIVERIES,
  'deliver url': REGISTERED_URLS,
  'check url': CHECKS,
  'faults add kind': FAULT_KINDS,
  'faults remove id': FAULTS,
  'readings set id': READINGS,
  'readings set option': READING_OPTIONS,
  'enable id': registrations(({ enabled }) => !enabled),
  'disable id': registrations(({ enabled }) => enabled),
  'unregister id': registrations(),
  'worlds add name': FREE,
  'worlds copy source': worlds(),
  'worlds copy name': FREE,
  'worlds show name': worlds(),
  'worlds remove name': worlds(({ name }) => name !== DEFAULT_WORLD),
  'events --type': listOf(oneOf(eventTypes)),
}

/** Where the values of an argument or option of a command come from; undefined if nothing is known of them. */
export function findValues(command: string, name: string): ValueSource | undefined {
  return BY_COMMAND[`${command} ${name}`] ?? BY_NAME[name]
}
