import type { NotifiedType } from '../../spec/notifications.ts'
import type { CheckContext } from './check-context.ts'
import { notObservable, type NotObservable, type ObjectRef } from '../finding.ts'

/** Those of the types that the receiver has a URL for. */
export function typesWithUrl(
  { receiver }: Pick<CheckContext, 'receiver'>,
  types: readonly NotifiedType[],
): readonly NotifiedType[] {
  const all = receiver.types()
  return types.filter((type) => all.includes(type))
}

/** Says which of the types the receiver has no URL for; undefined if it has all. */
export function describeMissingUrls(
  { receiver }: Pick<CheckContext, 'receiver'>,
  types: readonly NotifiedType[],
): string | undefined {
  const missing = types.filter((type) => !receiver.types().includes(type))
  return missing.length === 0 ? undefined : `the receiver has no URL for ${missing.join(', ')}`
}

export function noUrlFor(types: readonly NotifiedType[]): NotObservable {
  return notObservable(`the receiver has no URL for ${types.join(', ')}`)
}

/** For a check that looks at effects where it can; undefined if it can. */
export function unobservedEffects({ effects }: Pick<CheckContext, 'effects'>): string | undefined {
  return effects.observable ? undefined : 'its effects, which no configuration shows'
}

/** The same for the effects of one object; there may be none that could have any. */
export function unobservedEffectsOn(
  context: Pick<CheckContext, 'effects'>,
  object: ObjectRef | undefined,
): string | undefined {
  const unobserved = unobservedEffects(context)
  return unobserved ?? (object ? undefined : 'its effects, for it has no URL for a payment')
}
