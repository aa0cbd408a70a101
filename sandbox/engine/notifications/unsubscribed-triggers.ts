import { callbackTypes, type Generation } from '../../../spec/delivery.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import type { Store } from '../state/store.ts'
import type { View } from '../state/view.ts'

/** A change that each of these generations is notified of, if it has an enabled registration. */
export interface Trigger {
  readonly object_type: NotifiedType
  readonly generations: readonly Generation[]
}

/** A change that nobody is notified of in a generation. Source: §7 */
export interface UnsubscribedTrigger {
  readonly object_type: NotifiedType
  readonly generation: Generation
}

export interface UnsubscribedTriggerPorts {
  readonly store: Pick<Store, 'subscribe'> & View
  readonly readings: () => ReadingValues
  readonly onUnsubscribed: (unsubscribed: UnsubscribedTrigger) => void
}

export interface UnsubscribedTriggerReport {
  onTrigger(trigger: Trigger): void
  /** Reports everything anew: the world was replaced. */
  forget(): void
  /** Reports nothing until then. */
  mute(): void
}

/** Reports changes that nobody is notified of, once for each type and generation until one is registered for it. */
export function createUnsubscribedTriggerReport(ports: UnsubscribedTriggerPorts): UnsubscribedTriggerReport {
  const reported = new Set<string>()
  let isMuted = false
  ports.store.subscribe((head) => {
    if (head.kind !== 'registration' || !head.registration.enabled) return
    reported.delete(toKey(head.registration))
  })
  return {
    onTrigger({ object_type, generations }) {
      if (isMuted) return
      for (const generation of generations) {
        const unsubscribed = { object_type, generation }
        if (reported.has(toKey(unsubscribed)) || !isMissed(unsubscribed, ports)) continue
        reported.add(toKey(unsubscribed))
        ports.onUnsubscribed(unsubscribed)
      }
    },
    forget() {
      reported.clear()
      isMuted = false
    },
    mute() {
      isMuted = true
    },
  }
}

/** A platform that uses one generation only gets no report on the other; one that uses neither gets it on webhooks. */
function isMissed(
  { object_type, generation }: UnsubscribedTrigger,
  { store, readings }: UnsubscribedTriggerPorts,
): boolean {
  if (store.enabledRegistration(generation, object_type)) return false
  const isUsed = store.registrations(generation).length > 0
  if (generation === 'webhooks') return isUsed || !store.enabledRegistration('callbacks', object_type)
  const types: readonly string[] = callbackTypes(readings()['callback-list'])
  return isUsed && types.includes(object_type)
}

function toKey({ generation, object_type }: { readonly generation: string; readonly object_type: string }) {
  return `${generation}/${object_type}`
}
