import type { FaultMatch } from '../../../spec/generated/control-types.ts'
import { NOTIFICATIONS } from '../../../spec/generated/notifications.ts'
import { objectId } from '../../../spec/models.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import type { ApiError } from '../core/api-error.ts'
import type { HttpResponse } from '../core/http.ts'
import type { AppliedFault, FaultStateOn } from '../state/fault.ts'
import type { View } from '../state/view.ts'
import { API_FAULTS } from './api-kinds.ts'
import type { Gates } from './gates.ts'
import type { FaultTarget, Matcher } from './matcher.ts'

export interface ApiFaultPorts {
  readonly matcher: Matcher
  readonly gates: Gates
  readonly view: View
  readonly translator: Translator
}

/** A call of the service API, as a fault sees it. */
export interface Call {
  readonly operation: string
  /** Whether it needs to be authenticated, and whether it came with a token. */
  readonly secured: boolean
  readonly hasToken: boolean
  readonly method: string
  readonly path: string
  readonly object_type: NotifiedType | null
  readonly object_id: string | null
  /** Aborts when the caller is gone, or the sandbox closes. */
  readonly signal: () => AbortSignal
  readonly refuse: (error: ApiError) => HttpResponse
  /** Called with what applies, before anything is answered. */
  readonly onFaults: (faults: readonly AppliedFault[]) => void
}

/** What goes wrong with calls on purpose. */
export interface ApiFaults {
  /**
   * Answers a call as the faults that apply make it answer, the first of them innermost. What the call is, is asked only if
   * there is any fault.
   */
  answer(toCall: () => Call, answer: () => Promise<HttpResponse>): Promise<HttpResponse>
}

const SHOWS: ReadonlySet<string> = new Set(Object.values(NOTIFICATIONS).map(({ show }) => show))

export function createApiFaults({ matcher, gates, view, translator }: ApiFaultPorts): ApiFaults {
  return {
    answer(toCall, answer) {
      if (view.faults().length === 0) return answer()
      const call = toCall()
      const faults = matcher(toTarget(call, view))
      if (faults.length === 0) return answer()
      call.onFaults(faults.map(({ id, kind }) => ({ id, kind })))
      const about = {
        gates,
        signal: call.signal(),
        refuse: call.refuse,
        earlierShow: (revisionsBack: number) => earlierShow(call, revisionsBack, { view, translator }),
      }
      const whole = bodyFaultsLast(faults).reduce<() => Promise<HttpResponse>>(
        (next, fault) => () => API_FAULTS[fault.kind].wrap(next, { ...about, fault }),
        answer,
      )
      return whole()
    },
  }
}

/** A body that comes in pieces cannot be changed any more. */
function bodyFaultsLast(faults: readonly FaultStateOn<'api'>[]): FaultStateOn<'api'>[] {
  return faults.toSorted((a, b) => Number(a.settings.at === 'body') - Number(b.settings.at === 'body'))
}

function toTarget(call: Call, view: View): FaultTarget<'api'> {
  const { operation, secured, hasToken } = call
  const exemptible = {
    isShow: SHOWS.has(operation),
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

function earlierShow(
  { object_type, object_id }: Call,
  revisionsBack: number,
  { view, translator }: Pick<ApiFaultPorts, 'view' | 'translator'>,
): unknown {
  if (object_type === null || object_id === null) return undefined
  const earlier = view.earlierObject(object_type, object_id, revisionsBack)?.body
  if (!earlier) return undefined
  // The Show of a virtual account is not wrapped. Reading: virtual-account-show
  return translator.outward(object_type === 'virtual_accounts' ? earlier : { [object_type]: earlier })
}

function hasEarlier({ object_type, object_id }: Call, view: View): boolean {
  if (object_type === null || object_id === null) return false
  return (view.object(object_type, object_id)?.revision ?? 0) > 1
}

function agrees({ object_id, ...match }: FaultMatch, call: Call, view: View): boolean {
  const { operation, method, path, object_type } = match
  return (
    (operation === undefined || operation === call.operation) &&
    (method === undefined || method === call.method) &&
    (path === undefined || withoutSlash(path) === withoutSlash(call.path)) &&
    (object_type === undefined || object_type === call.object_type) &&
    (object_id === undefined || isSameObject(object_id, call, view))
  )
}

/** A trailing slash makes no difference to the service. */
function withoutSlash(path: string): string {
  return path.replace(/(?<=.)\/$/, '')
}

/** By any of the ids that it is asked for by; one that does not exist by the id as it stands. */
function isSameObject(id: string, { object_type, object_id }: Call, view: View): boolean {
  if (object_type === null || object_id === null) return false
  const kept = (given: string) => {
    const object = view.object(object_type, given)?.body
    return object ? objectId(object_type, object) : given
  }
  return object_id === id || kept(object_id) === kept(id)
}
