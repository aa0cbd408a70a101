import { UsageError } from '../../sandbox/internal.ts'
import { paceOf, type LoadSize } from './pace.ts'
import { findBegun, sizeOf, type Share } from './plan.ts'
import { describeShare } from './shares.ts'

/**
 * The shares of which at least one begins in a load of this size. Throws UsageError where that leaves nothing, or something out that
 * was asked for: a load that passes without it would say nothing of it.
 */
export function keepWhatBegins(
  shares: readonly Share[],
  size: LoadSize,
  { isAskedFor }: { readonly isAskedFor: boolean },
): readonly Share[] {
  const begun = findBegun(shares, { ...size, ...paceOf(shares, size) })
  const missing = shares.find((share) => !begun.has(share))
  if (!missing) return shares
  if (isAskedFor || begun.size === 0) throw new UsageError(describeMissing(missing, size))
  // Fewer of them are laid out otherwise.
  return keepWhatBegins([...begun], size, { isAskedFor })
}

function describeMissing(share: Share, { count }: LoadSize): string {
  const why =
    sizeOf(share) > count
      ? `it takes ${sizeOf(share)} notifications, and the load has ${count}`
      : `by its weight none begins within ${count} notifications`
  return `Cannot send ${describeShare(share)}: ${why}; give --rate or --for more`
}
