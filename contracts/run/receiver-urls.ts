import { callbackTypes, type Generation } from '../../spec/delivery.ts'
import { notifiedTypes, type NotifiedType } from '../../spec/notifications.ts'
import { readingValues } from '../../spec/readings.ts'
import type { BranchContext } from '../toolkit/branches.ts'
import type { ReceiverUrls } from '../toolkit/check-context.ts'
import { unusedKinds } from '../toolkit/consequences.ts'
import type { ReceiverOptions, RunOptions } from '../toolkit/options.ts'

export function receiverUrls({ urls }: Pick<ReceiverOptions, 'urls'>): ReceiverUrls {
  const typesOf = (generation: Generation = 'webhooks'): readonly NotifiedType[] => {
    const given = urls[generation]
    if (given === undefined) return []
    const callbacks: readonly string[] = callbackTypes('current')
    const possible = notifiedTypes.filter((type) => generation === 'webhooks' || callbacks.includes(type))
    if (typeof given !== 'string') return possible.filter((type) => given[type] !== undefined)
    // A URL that contains a type name receives only this type. A URL without a type name receives all possible types.
    const named = possible.filter((type) => given.split('/').includes(type))
    return named.length > 0 ? named : possible
  }
  return {
    types: typesOf,
    url(type, generation = 'webhooks') {
      const given = urls[generation]
      const url = typeof given === 'string' ? given.replaceAll('{object_type}', type) : given?.[type]
      if (url !== undefined && typesOf(generation).includes(type)) return url
      throw new RangeError(`Cannot send ${type} by ${generation}: the receiver has no URL for it`)
    },
  }
}

/** Creates a context for selecting payments from the configuration, without an open run. */
export function branchContext(
  { receiver, readings, consequences }: Pick<RunOptions, 'receiver' | 'readings' | 'consequences'>,
  urls = receiverUrls(receiver),
): BranchContext {
  return {
    receiver: urls,
    profile: { readings: readingValues(readings), consequences, unused: unusedKinds(consequences) },
    calls: { observable: receiver.callsBack },
  }
}
