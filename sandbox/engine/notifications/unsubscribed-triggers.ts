import { callbackTypes, type Generation } from '../../../spec/delivery.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import type { Store } from '../state/store.ts'
import type { View } from '../state/view.ts'

export interface Trigger {
  readonly object_type: NotifiedType
  readonly generations: readonly Generation[]
}

/** A change without a notification, because this generation has no enabled registration for the object type. Source: §7 */
export interface UnsubscribedTrigger {
  readonly object_type: NotifiedType
  readonly generation: Generation
}

/** Reports changes that no registration covers. Each type and generation is reported once, and again only after a registration. */
export function createUnsubscribedTriggerReport(
  store: Pick<Store, 'subscribe'> & View,
  readings: () => ReadingValues,
  onUnsubscribed: (unsubscribed: UnsubscribedTrigger) => void,
) {
  const reported = new Set<string>()
  let isMuted = false
  store.subscribe((head) => {
    if (head.kind !== 'registration' || !head.registration.enabled) return
    reported.delete(toKey(head.registration))
  })
  return {
    onTrigger({ object_type, generations }: Trigger): void {
      if (isMuted) return
      for (const generation of generations) {
        const unsubscribed = { object_type, generation }
        const key = toKey(unsubscribed)
        if (reported.has(key) || !isMissed(unsubscribed, store, readings)) continue
        reported.add(key)
        onUnsubscribed(unsubscribed)
      }
    },
    forget(): void {
      reported.clear()
      isMuted = false
    },
    /** Reports nothing until `forget` is called. */
    mute(): void {
      isMuted = true
    },
  }
}

/** Returns true if the change must be reported. If the platform uses only the other generation, returns false. */
function isMissed(
  { object_type, generation }: UnsubscribedTrigger,
  view: View,
  readings: () => ReadingValues,
): boolean {
  if (view.enabledRegistration(generation, object_type)) return false
  const isUsed = view.registrations(generation).length > 0
  if (generation === 'webhooks') return isUsed || !view.enabledRegistration('callbacks', object_type)
  const types: readonly string[] = callbackTypes(readings()['callback-list'])
  return isUsed && types.includes(object_type)
}

function toKey({ generation, object_type }: { readonly generation: string; readonly object_type: string }) {
  return `${generation}/${object_type}`
}
