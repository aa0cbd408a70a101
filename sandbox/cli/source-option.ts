import { fromLoopback } from '../adapters/platform.ts'
import type { SourceAddresses } from '../engine/delivery/source-addresses.ts'
import { UsageError } from './failure.ts'

/** Reads `loopback` or the name of a header. Throws UsageError with the remedy. */
export function sourceOf(text: string): SourceAddresses {
  if (text === 'loopback') {
    if (fromLoopback) return { kind: 'loopback' }
    throw new UsageError(
      'Cannot send from loopback images here: only Linux has all of 127.0.0.0/8; name a header that your receiver trusts, such as x-forwarded-for',
    )
  }
  if (/^[A-Za-z][A-Za-z0-9-]*$/.test(text)) return { kind: 'header', name: text }
  throw new UsageError(`Cannot use source addresses "${text}": it takes "loopback" or the name of a header`)
}
