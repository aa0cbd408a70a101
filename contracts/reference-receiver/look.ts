import type { Entries, Judgement } from './judgement.ts'
import type { ServiceClient } from './service-client.ts'
import type { Conclusion, Store } from './store.ts'

export interface LookParts {
  readonly store: Store
  readonly service: ServiceClient
  readonly judgement: Judgement
}

/** Asks the service about the object that all these entries are about, and keeps what follows from its answer. */
export async function look(entries: Entries, { store, service, judgement }: LookParts): Promise<void> {
  const path = judgement.pathOf(entries)
  if (path === undefined) return store.drop(entries)
  const shown = await service.show(path)
  if (shown.kind === 'shown') return store.settle(entries, conclude(shown.body, entries))
  const attempts = Math.max(...entries.map((entry) => entry.attempts))
  const delayMs = judgement.delayAfter(shown, attempts)
  return delayMs === undefined ? store.drop(entries) : store.postpone(entries, Date.now() + delayMs)

  function conclude(body: unknown, about: Entries): Conclusion {
    const now = judgement.knownFrom(body, about)
    const before = now && store.known(now.type, now.id)
    if (!now || !judgement.mayReplace(before, now)) return { believed: undefined, key: undefined }
    return { believed: now, key: judgement.isDue(now, about) ? judgement.keyOf(now, about) : undefined }
  }
}
