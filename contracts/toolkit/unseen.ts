import type { NotifiedType } from '../../spec/notifications.ts'
import type { CheckContext, EffectTarget } from './check-context.ts'
import { notObservable, type Finding, type NotObservable } from '../finding.ts'

/** What was found, with what could not be seen beside it; undefined of these is nothing. */
export function butUnseen(finding: Finding, ...parts: readonly (string | undefined)[]): Finding {
  const unseen = parts.filter((part) => part !== undefined)
  return finding.kind === 'passed' && unseen.length > 0 ? { ...finding, unseen: unseen.join('; ') } : finding
}

/** Those of the types that the receiver has a URL for. */
export function typesAmong(
  { receiver }: Pick<CheckContext, 'receiver'>,
  types: readonly NotifiedType[],
): readonly NotifiedType[] {
  const had = receiver.types()
  return types.filter((type) => had.includes(type))
}

/** Says which of the types the receiver has no URL for; undefined if it has all. */
export function lacking(
  { receiver }: Pick<CheckContext, 'receiver'>,
  types: readonly NotifiedType[],
): string | undefined {
  const had = receiver.types()
  const missing = types.filter((type) => !had.includes(type))
  return missing.length === 0 ? undefined : `the receiver has no URL for ${missing.join(', ')}`
}

export function noUrlFor(types: readonly NotifiedType[]): NotObservable {
  return notObservable(`the receiver has no URL for ${types.join(', ')}`)
}

/** For a check that looks at effects where it can; without a target there is nothing that could have one. */
export function effectsUnseen(
  { effects }: Pick<CheckContext, 'effects'>,
  target: EffectTarget | undefined,
): string | undefined {
  if (!effects.observable) return 'its effects, which no configuration shows'
  return target ? undefined : 'its effects, for it has no URL for a payment'
}
