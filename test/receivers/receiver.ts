import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import {
  createEndpoint,
  openProcessor,
  policy as carefulPolicy,
  serveEndpoint,
  servePage,
  type Endpoint,
  type EndpointOptions,
  type IncomingRequest,
  type Policy,
  type Processor,
  type ServerOptions,
} from '../../contracts/reference-receiver/starter/receiver.mjs'
import {
  createService,
  createTokens,
  listMissed,
  type ServiceClient,
  type ServiceOptions,
  type Tokens,
} from '../../contracts/reference-receiver/starter/service.mjs'
import {
  openStore,
  type Notification,
  type Store,
} from '../../contracts/reference-receiver/starter/store.mjs'

export interface ReceiverOptions extends EndpointOptions, ServerOptions {
  readonly effectsPort: number
  /** The path of the store file. */
  readonly store: string
  readonly service: ServiceOptions
}

/** A running receiver. The URLs of the receiver are templates with `{object_type}`. The `effects` URL also contains `{id}`. */
export interface Receiver {
  readonly webhooks: string
  readonly callbacks: string
  readonly effects: string
  readonly reconcile: string
  readonly port: number
  readonly processor: Processor
  close(): Promise<void>
}

/** The token and functions that endpoints use. */
interface Behind extends Pick<Processor, 'accept'> {
  readonly token: string
  /** Resolves to true if the sender waited for the response. */
  readonly answered: (request: IncomingRequest) => Promise<boolean>
}

/** The replaceable components of the starter receiver. */
export interface Components {
  readonly policy: Policy
  readonly endpoint: (endpoint: Endpoint, behind: Behind) => Endpoint
  readonly service: (service: ServiceClient) => ServiceClient
  readonly tokens: (tokens: Tokens) => Tokens
  readonly store: (store: Store) => Store
  readonly missed: (list: () => Promise<readonly Notification[]>) => () => Promise<readonly Notification[]>
  readonly address: (template: string) => string
}

const CAREFUL: Components = {
  policy: carefulPolicy,
  endpoint: (endpoint) => endpoint,
  service: (service) => service,
  tokens: (tokens) => tokens,
  store: (store) => store,
  missed: (list) => list,
  address: (template) => template,
}

/** Starts the starter receiver in this process, with some of its components replaced. */
export async function startReceiver(
  options: ReceiverOptions,
  changes: Partial<Components> = {},
): Promise<Receiver> {
  const parts = { ...CAREFUL, ...changes }
  const { policy: rules } = parts
  const { clock, onError = console.error, token } = options
  const stopped = new AbortController()
  const tokens = parts.tokens(createTokens(options.service, stopped.signal))
  const service = parts.service(createService(options.service, tokens, stopped.signal))
  const store = parts.store(openStore(options.store))
  const processor = openProcessor({ store, service, rules, clock, onError })
  const answers = new WeakMap<IncomingHttpHeaders, Promise<boolean>>()
  const answered = ({ headers }: IncomingRequest) => answers.get(headers) ?? Promise.resolve(true)
  const endpoint = parts.endpoint(createEndpoint(processor, options, rules), {
    token,
    answered,
    accept: processor.accept,
  })
  const server = await serveEndpoint(endpoint, options)
  server.server.prependListener('request', ({ headers }: IncomingMessage, response: ServerResponse) => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    response.on('close', () => resolve(response.writableFinished))
    answers.set(headers, promise)
  })
  const list = parts.missed(() => listMissed(service))
  const reconcile = async () => (await list()).forEach(processor.accept)
  const page = await servePage(
    { readEffects: processor.readEffects, reconcile },
    { port: options.effectsPort, onError },
  )
  const template = (folder: string) =>
    parts.address(`https://localhost:${server.port}/${folder}/{object_type}/${token}`)
  return {
    webhooks: template('notifications'),
    callbacks: template('callbacks'),
    effects: `http://127.0.0.1:${page.port}/effects/{object_type}/{id}`,
    reconcile: `http://127.0.0.1:${page.port}/reconcile`,
    port: server.port,
    processor,
    async close() {
      await Promise.all([server.close(), page.close()])
      stopped.abort()
      await processor.close()
    },
  }
}
