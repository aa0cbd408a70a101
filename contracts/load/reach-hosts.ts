import { ApiError, RefusedError } from '../../sandbox/internal.ts'
import type { Shared } from '../run/create-check-context.ts'
import { testBody } from '../run/messages.ts'
import type { LoadContent } from './shares.ts'

/** The hosts of the receiver, or why one could not be reached. */
export type ReachedHosts = { readonly hosts: readonly string[] } | { readonly unreached: string }

/**
 * Lets the service post to each address of the receiver once: what it may call beyond this machine, the load may call, too, and
 * nothing else.
 */
export async function reachHosts(shared: Shared, { urls, generation }: LoadContent): Promise<ReachedHosts> {
  const { service, profile, options, mask } = shared
  const raw = testBody({ profile })
  const byOrigin = new Map(
    urls.types().map((type) => {
      const url = urls.url(type, generation)
      return [new URL(url).origin, url] as const
    }),
  )
  const isSigned = generation === 'webhooks'
  for (const url of byOrigin.values()) {
    try {
      const headers = { ...options.receiver.headers, ...(isSigned && shared.sign({ url, body: raw })) }
      const { exchanges } = await service.perform('craftDelivery', {
        body: { url, raw, headers, signed: false },
      })
      const [exchange] = exchanges
      if (exchange?.status === null) return { unreached: mask(exchange.message) }
    } catch (error) {
      if (error instanceof ApiError || error instanceof RefusedError)
        return { unreached: mask(error.message) }
      throw error
    }
  }
  return { hosts: [...byOrigin.keys()].map((origin) => new URL(origin).hostname.replace(/[[\]]/g, '')) }
}
