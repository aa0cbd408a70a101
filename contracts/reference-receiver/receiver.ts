import { openProcessor, type Processor } from './processor.ts'
import { createEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts'
import { serveEffects } from './effects-page.ts'
import { serveHttps } from './https-server.ts'
import { createListMissed, takeUpMissed, type ListMissed } from './missed-notifications.ts'
import { carefulPolicy, type Policy } from './policy.ts'
import {
  createServiceClient,
  createTokenCache,
  type ServiceClient,
  type ServiceOptions,
  type TokenCache,
} from './service-client.ts'
import { openStore, type Store } from './store.ts'

export interface ReceiverOptions extends EndpointOptions {
  /** PEM: the certificate, and those between it and its root. */
  readonly cert: string
  readonly key: string
  /** 0 takes any that is free. */
  readonly port: number
  readonly effectsPort: number
  /** The file that everything is kept in. */
  readonly store: string
  readonly service: ServiceOptions
  /** A header in which a trusted proxy says where a request comes from; the socket says it if left out. */
  readonly sourceHeader?: string | undefined
  readonly onError: (error: unknown) => void
}

/** A running receiver; its addresses are templates with `{object_type}`, that of the effects also with `{id}`. */
export interface Receiver {
  readonly webhooks: string
  readonly callbacks: string
  readonly effects: string
  /** What is posted to, to let it look for what it has missed. */
  readonly reconcile: string
  readonly port: number
  readonly processor: Processor
  close(): Promise<void>
}

/** What a receiver is made of, each part to be looked at, or changed, on its own. */
export interface Components {
  readonly policy: Policy
  readonly endpoint: (
    endpoint: Endpoint,
    behind: { readonly processor: Processor; readonly token: string },
  ) => Endpoint
  readonly service: (service: ServiceClient) => ServiceClient
  readonly tokens: (tokens: TokenCache) => TokenCache
  readonly store: (store: Store) => Store
  readonly missed: (list: ListMissed) => ListMissed
  /** How others get to know the addresses. */
  readonly address: (template: string) => string
}

export const CAREFUL_COMPONENTS: Components = {
  policy: carefulPolicy,
  endpoint: (endpoint) => endpoint,
  service: (service) => service,
  tokens: (tokens) => tokens,
  store: (store) => store,
  missed: (list) => list,
  address: (template) => template,
}

/** Starts a receiver that loses nothing and acts once. Rejects if a port is taken or the store cannot be opened. */
export async function startReceiver(
  options: ReceiverOptions,
  parts: Components = CAREFUL_COMPONENTS,
): Promise<Receiver> {
  const { policy } = parts
  const stopped = new AbortController()
  const tokens = parts.tokens(createTokenCache(options.service, stopped.signal))
  const service = createServiceClient(options.service, tokens, stopped.signal)
  const asked = parts.service(service)
  const processor = openProcessor({
    store: parts.store(openStore(options.store)),
    service: asked,
    policy,
    clock: options.clock,
    onError: options.onError,
  })
  const server = await serveHttps(
    parts.endpoint(createEndpoint(processor, options, policy), { processor, token: options.token }),
    options,
  )
  const listMissed = parts.missed(createListMissed(asked))
  const page = await serveEffects(
    { readEffects: processor.readEffects, reconcile: () => takeUpMissed(listMissed, processor) },
    { port: options.effectsPort, onError: options.onError },
  )
  const template = (folder: string) =>
    parts.address(`https://localhost:${server.port}/${folder}/{object_type}/${options.token}`)
  return {
    webhooks: template('notifications'),
    callbacks: template('callbacks'),
    effects: `http://127.0.0.1:${page.port}/effects/{object_type}/{id}`,
    reconcile: `http://127.0.0.1:${page.port}/reconcile`,
    port: server.port,
    processor,
    async close() {
      stopped.abort()
      await Promise.all([server.close(), page.close()])
      await processor.close()
    },
  }
}
