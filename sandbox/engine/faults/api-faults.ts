import type { FaultMatch } from '../../../spec/generated/control-types.ts'
import { NOTIFICATIONS } from '../../../spec/generated/notifications.ts'
import { objectId } from '../../../spec/models.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import type { ApiError } from '../core/api-error.ts'
import type { HttpResponse } from '../core/http.ts'
import type { EngineContext } from '../objects/draws.ts'
import type { AppliedFault, FaultStateOn } from '../state/entries.ts'
import type { View } from '../state/view.ts'
import { API_FAULTS } from './api-kinds.ts'
import type { Gates } from './gates.ts'
import type { FaultTarget, Matcher } from './matcher.ts'

export interface ApiCall {
  readonly operation: string
  readonly secured: boolean
  readonly hasToken: boolean
  readonly method: string
  readonly path: string
  readonly object_type: NotifiedType | null
  readonly object_id: string | null
  readonly signal: () => AbortSignal
  readonly refuse: (error: ApiError) => HttpResponse
  /** Called with the faults that match the call, before the response is sent. */
  readonly onFaults: (faults: readonly AppliedFault[]) => void
}

/** A function that answers a call and applies the matching faults, oldest first. `toCall` is called only if a fault exists. */
export type AnswerWithFaults = (
  toCall: () => ApiCall,
  answer: () => Promise<HttpResponse>,
) => Promise<HttpResponse>

const SHOWS: ReadonlySet<string> = new Set(Object.values(NOTIFICATIONS).map(({ show }) => show))

export function createApiFaults(
  gates: Gates,
  matcher: Matcher,
  { view, translator }: Pick<EngineContext, 'view' | 'translator'>,
): AnswerWithFaults {
  return (toCall, answer) => {
    if (view.faults().length === 0) return answer()
    const call = toCall()
    const faults = matcher(toTarget(call, view))
    if (faults.length === 0) return answer()
    call.onFaults(faults.map(({ id, kind }) => ({ id, kind })))
    const faulted = {
      gates,
      signal: call.signal(),
      refuse: call.refuse,
      earlierShow: (revisionsBack: number) => translator.outward(findEarlierShow(call, revisionsBack, view)),
    }
    const answerWithAll = bodyFaultsLast(faults).reduce<() => Promise<HttpResponse>>(
      (next, fault) => () => API_FAULTS[fault.kind].wrap(next, { ...faulted, fault }),
      answer,
    )
    return answerWithAll()
  }
}

/** Moves body-streaming faults to the end, because no other fault can change a streamed body. */
function bodyFaultsLast(faults: readonly FaultStateOn<'api'>[]): FaultStateOn<'api'>[] {
  return faults.toSorted((a, b) => Number(a.settings.at === 'body') - Number(b.settings.at === 'body'))
}

function toTarget(call: ApiCall, view: View): FaultTarget<'api'> {
  const { secured, hasToken } = call
  const exemptible = {
    isShow: SHOWS.has(call.operation),
    hasEarlier: () => hasEarlier(call, view),
    secured,
    hasToken,
  }
  return {
    on: 'api',
    agreesWith: (match) => agrees(match, call, view),
    isExempt: ({ kind }) => API_FAULTS[kind].exempt?.(exemptible) === true,
  }
}

function findEarlierShow({ object_type, object_id }: ApiCall, revisionsBack: number, view: View): unknown {
  if (object_type === null || object_id === null) return undefined
  const earlier = view.earlierObject(object_type, object_id, revisionsBack)?.body
  if (!earlier) return undefined
  // The Show response of a virtual account has no wrapper with the object type. Reading: virtual-account-show
  return object_type === 'virtual_accounts' ? earlier : { [object_type]: earlier }
}

function hasEarlier({ object_type, object_id }: ApiCall, view: View): boolean {
  if (object_type === null || object_id === null) return false
  return (view.object(object_type, object_id)?.revision ?? 0) > 1
}

function agrees({ object_id, ...match }: FaultMatch, call: ApiCall, view: View): boolean {
  const { operation, method, path, object_type } = match
  return (
    (operation === undefined || operation === call.operation) &&
    (method === undefined || method === call.method) &&
    (path === undefined || withoutSlash(path) === withoutSlash(call.path)) &&
    (object_type === undefined || object_type === call.object_type) &&
    (object_id === undefined || isSameObject(object_id, call, view))
  )
}

function withoutSlash(path: string): string {
  return path.replace(/(?<=.)\/$/, '')
}

function isSameObject(id: string, { object_type, object_id }: ApiCall, view: View): boolean {
  if (object_type === null || object_id === null) return false
  const kept = (given: string) => {
    const object = view.object(object_type, given)?.body
    return object ? objectId(object_type, object) : given
  }
  return object_id === id || kept(object_id) === kept(id)
}
