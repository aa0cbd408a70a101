import type { NotifiedType } from '../../spec/notifications.ts'
import type { CheckContext } from './check-context.ts'
import { notObservable, type NotObservable, type ObjectRef } from '../finding.ts'

export function typesWithUrl(
  { receiver }: Pick<CheckContext, 'receiver'>,
  types: readonly NotifiedType[],
): readonly NotifiedType[] {
  const all = receiver.types()
  return types.filter((type) => all.includes(type))
}

export function describeMissingUrls(
  { receiver }: Pick<CheckContext, 'receiver'>,
  types: readonly NotifiedType[],
): string | undefined {
  const missing = types.filter((type) => !receiver.types().includes(type))
  return missing.length === 0 ? undefined : `the receiver has no URL for ${missing.join(', ')}`
}

export const NO_URL = notObservable('the receiver has no URL')

export function noUrlFor(types: readonly NotifiedType[]): NotObservable {
  return notObservable(`the receiver has no URL for ${types.join(', ')}`)
}

export function unobservedEffects({ effects }: Pick<CheckContext, 'effects'>): string | undefined {
  return effects.observable
    ? undefined
    : 'the effects of the receiver, because the configuration has no "effects"'
}

export function unobservedEffectsOn(
  context: Pick<CheckContext, 'effects'>,
  object: ObjectRef | undefined,
): string | undefined {
  return (
    unobservedEffects(context) ??
    (object ? undefined : 'the effects of the receiver, because the receiver has no URL for a payment')
  )
}
