import type { FaultMatch, FaultRequest } from '../../../spec/generated/control-types.ts'
import { LIFECYCLES } from '../../../spec/generated/lifecycles.ts'
import { OPERATIONS } from '../../../spec/generated/service-operations.ts'
import { deliveredTypes } from '../../../spec/delivery.ts'
import {
  describeFaultKind,
  faultKinds,
  isFaultKind,
  type FaultPlace,
  type PlacedFaultKind,
} from '../../../spec/faults.ts'
import { notifiedTypes } from '../../../spec/notifications.ts'
import { ApiError } from '../core/api-error.ts'
import { didYouMean } from '../../../spec/nearest.ts'
import type { FaultRule, FaultSettings } from '../state/entries.ts'
import { isPointer } from './edit-body.ts'

const MATCHES: Readonly<Record<FaultPlace, readonly (keyof FaultMatch)[]>> = {
  delivery: ['object_type', 'object_id', 'generation', 'registration_id', 'job_id', 'state', 'attempt'],
  api: ['object_type', 'object_id', 'operation', 'method', 'path'],
}

const STATES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(LIFECYCLES.objects).map(([type, { states }]) => [type, Object.keys(states)]),
)
const ALL_STATES = [...new Set([...STATES.values()].flat())]

/** Converts a fault request into a fault. Throws ApiError `invalid`, which names the invalid field and the fix. */
export function readFault(
  request: FaultRequest,
  { newId, newNumber }: { readonly newId: () => string; readonly newNumber: () => number },
): FaultRule {
  const { on, kind, match = {}, times, skip = 0, probability = 1, seed, ...settings } = request
  const placed = readKind(on, kind)
  checkMatch(on, match)
  checkSettings(placed, settings)
  return {
    id: newId(),
    ...placed,
    match,
    times: times ?? null,
    skip,
    probability,
    seed: seed ?? (probability < 1 ? newNumber() : 0),
    settings,
  }
}

function readKind(on: FaultPlace, kind: string): PlacedFaultKind {
  if (on === 'delivery' && isFaultKind(on, kind)) return { on, kind }
  if (on === 'api' && isFaultKind(on, kind)) return { on, kind }
  const kinds = Object.keys(faultKinds[on])
  return refuse(
    'kind',
    `"${kind}" on ${on}: the kinds on ${on} are ${kinds.join(', ')}${didYouMean(kind, kinds)}`,
  )
}

function checkMatch(on: FaultPlace, match: FaultMatch): void {
  const stray = Object.keys(match).find((key) => !MATCHES[on].some((known) => known === key))
  if (stray !== undefined)
    refuse(
      `match/${stray}`,
      `on ${on} that matches "${stray}": a fault on ${on} can match ${MATCHES[on].join(', ')}${didYouMean(stray, MATCHES[on])}`,
    )
  const { object_type, operation, state, path } = match
  const types = on === 'delivery' ? deliveredTypes : notifiedTypes
  if (object_type !== undefined && !types.some((type) => type === object_type)) {
    refuse(
      'match/object_type',
      `of object type "${object_type}": the types are ${types.join(', ')}${didYouMean(object_type, types)}`,
    )
  }
  if (path !== undefined && !path.startsWith('/'))
    refuse('match/path', `of path "${path}": a path begins with a slash, such as /items/42`)
  const states = STATES.get(object_type ?? '') ?? ALL_STATES
  if (state !== undefined && !states.includes(state))
    refuse(
      'match/state',
      `of state "${state}": the states are ${states.join(', ')}${didYouMean(state, states)}`,
    )
  if (operation !== undefined && !Object.hasOwn(OPERATIONS, operation)) {
    const hint = didYouMean(operation, Object.keys(OPERATIONS)) || '. See the reference'
    refuse('match/operation', `of operation "${operation}": unknown operation${hint}`)
  }
}

function checkSettings(placed: PlacedFaultKind, settings: FaultSettings): void {
  const { kind } = placed
  const { takes, needs = [] } = describeFaultKind(placed)
  const stray = Object.keys(settings).find((key) => !takes.some((known) => known === key))
  if (stray !== undefined) {
    const taken = takes.length === 0 ? 'no settings' : `only ${takes.join(', ')}`
    refuse(stray, `"${kind}" with "${stray}": this kind takes ${taken}. Omit "${stray}"`)
  }
  if (needs.length > 0 && !needs.some((key) => Object.hasOwn(settings, key))) {
    const missing = needs.map((key) => `"${key}"`).join(' or ')
    refuse(needs[0] ?? '', `"${kind}" without ${missing}: this field is required`)
  }
  const bad = Object.keys(settings.set ?? {}).find((pointer) => !isPointer(pointer))
  if (bad !== undefined)
    refuse('set', `"${kind}" that sets "${bad}": write a JSON pointer such as /items/amount`)
}

function refuse(field: string, what: string): never {
  throw new ApiError('invalid', { field, message: `Cannot add a fault ${what}` })
}
