import { isNotifiedType } from '../../../spec/notifications.ts'
import type { Head } from './entries.ts'

type Kind = Head['kind']
type Test = (value: unknown) => boolean

const isText: Test = (value) => typeof value === 'string'
const isNumber: Test = (value) => Number.isFinite(value)
const isFlag: Test = (value) => typeof value === 'boolean'
const isType: Test = (value) =>
  typeof value === 'string' && (isNotifiedType(value) || value === 'bank_accounts')
const isGeneration: Test = (value) => value === 'webhooks' || value === 'callbacks'
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value)
const isList: Test = (value) => Array.isArray(value)

function has(tests: Readonly<Record<string, Test>>): Test {
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(tests).every(([field, test]) => test(Reflect.get(value, field)))
}

/** What each kind of head must have for everything that looks at it to go on. */
const TESTS: { readonly [Each in Kind]: Readonly<Record<string, Test>> } = {
  object: { object_type: isType, id: isText, revision: isNumber },
  registration: {
    registration: has({
      id: isText,
      url: isText,
      enabled: isFlag,
      generation: isGeneration,
      object_type: isType,
      created_at: isNumber,
      updated_at: isNumber,
    }),
  },
  deletion: { registration_id: isText },
  job: {
    id: isText,
    generation: isGeneration,
    registration_id: isText,
    object_type: isType,
    object_id: isText,
    revision: isNumber,
    state: orNull(isText),
    url: isText,
    hashed_payload: isText,
  },
  attempt: {
    job_id: isText,
    number: isNumber,
    url: isText,
    due_at: isNumber,
    started_at: isNumber,
    recorded_at: isNumber,
    status: orNull(isNumber),
    reason: orNull(isText),
    message: isText,
    next_due_at: orNull(isNumber),
    flags: isList,
    timings: has({ totalMs: isNumber }),
  },
  cancellation: { job_id: isText },
  clock: {},
  payment: {
    payment: has({
      id: isText,
      kind: isText,
      outcome: isText,
      participants: has({}),
      objects: has({}),
      moves: isList,
      step: isNumber,
      steps: isNumber,
      next_due_at: orNull(isNumber),
    }),
  },
  secret: { set_at: isNumber },
  readings: { chosen: has({}) },
  fault: { fault: has({ id: isText, on: isText, kind: isText, match: has({}), settings: has({}) }) },
  'fault-end': { fault_id: isText },
  'fault-use': { fault_id: isText, applied: isFlag },
  crafted: { id: isText },
}

/** The kinds whose body is JSON. */
const JSON_BODIES: ReadonlySet<Kind> = new Set<Kind>(['object', 'job', 'attempt', 'crafted'])

/** What is wrong with an entry that comes from outside; undefined if nothing is. */
export function problemOf(head: Head, body: string): string | undefined {
  const { kind }: { readonly kind: unknown } = head
  if (typeof kind !== 'string' || !isKind(kind))
    return `is of kind "${String(kind)}", which this version does not know`
  if (!isNumber(head.at)) return 'has no time'
  const bad = Object.entries(TESTS[kind]).find(([field, test]) => !test(Reflect.get(head, field)))
  if (bad) return `has no right "${bad[0]}"`
  return JSON_BODIES.has(kind) && !isJson(body) ? 'has no right body' : undefined
}

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(TESTS, kind)
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
