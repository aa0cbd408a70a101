import { timingSafeEqual } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { once } from 'node:events'
import { createListMissed, takeUpMissed } from '../../../contracts/reference-receiver/missed-notifications.ts'
import { openProcessor, type Processor } from '../../../contracts/reference-receiver/processor.ts'
import { serveEffects } from '../../../contracts/reference-receiver/effects-page.ts'
import type { ReceiverOptions } from '../../../contracts/reference-receiver/receiver.ts'
import {
  createServiceClient,
  createTokenCache,
} from '../../../contracts/reference-receiver/service-client.ts'
import { openStore } from '../../../contracts/reference-receiver/store.ts'
import type { Platform } from '../../support/judged-receiver.ts'

/** What a framework's part is told: where to hand notices to, and what its addresses end in. */
export interface Behind {
  readonly core: Processor
  readonly isToken: (given: string) => boolean
  readonly isAllowed: (generation: string, from: string | undefined) => boolean
}

/** Starts a platform whose HTTP part is made with any framework; the core behind it is the careful receiver's. */
export async function startPlatform(
  options: ReceiverOptions,
  listenerOf: (behind: Behind) => RequestListener | Promise<RequestListener>,
): Promise<Platform> {
  const { cert, key, token, allowed, onError } = options
  const stopped = new AbortController()
  const tokens = createTokenCache(options.service, stopped.signal)
  const service = createServiceClient(options.service, tokens, stopped.signal)
  const core = openProcessor({ store: openStore(options.store), service, onError })
  const listener = await listenerOf({
    core,
    isToken: (given) =>
      given.length === token.length && timingSafeEqual(Buffer.from(given), Buffer.from(token)),
    isAllowed: (generation, from = '') =>
      !allowed || allowed[generation === 'callbacks' ? 'callbacks' : 'webhooks'].includes(from),
  })
  const server = createServer({ cert, key }, listener).listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : options.port
  const page = await serveEffects(
    { ...core, reconcile: () => takeUpMissed(createListMissed(service), core) },
    { port: options.effectsPort, onError },
  )
  return {
    webhooks: `https://localhost:${port}/notifications/{object_type}/${token}`,
    callbacks: `https://localhost:${port}/callbacks/{object_type}/${token}`,
    effects: `http://127.0.0.1:${page.port}/effects/{object_type}/{id}`,
    reconcile: `http://127.0.0.1:${page.port}/reconcile`,
    async close() {
      stopped.abort()
      server.closeAllConnections()
      server.close()
      await page.close()
      await core.close()
    },
  }
}
