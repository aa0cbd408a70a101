import { openCore, type Core } from './core.ts'
import { createDoor, type Door, type DoorOptions } from './door.ts'
import { serveEffects } from './effects-page.ts'
import { serveHttps } from './https-server.ts'
import { careful, type Judgement } from './judgement.ts'
import {
  createServiceClient,
  createTokens,
  type ServiceClient,
  type ServiceOptions,
  type Tokens,
} from './service-client.ts'
import { openStore, type Store } from './store.ts'

export interface ReceiverOptions extends DoorOptions {
  /** PEM: the certificate, and those between it and its root. */
  readonly cert: string
  readonly key: string
  /** 0 takes any that is free. */
  readonly port: number
  readonly effectsPort: number
  /** The file that everything is kept in. */
  readonly store: string
  readonly service: ServiceOptions
  /** A header in which a trusted proxy tells where a request comes from; the socket tells if left out. */
  readonly sourceHeader?: string | undefined
  readonly onError: (error: unknown) => void
}

/** A running receiver; its addresses are templates with `{object_type}`, that of the effects also with `{id}`. */
export interface Receiver {
  readonly webhooks: string
  readonly callbacks: string
  readonly effects: string
  readonly port: number
  readonly core: Core
  close(): Promise<void>
}

/** What a receiver is made of, each part to be looked at, or changed, on its own. */
export interface Parts {
  readonly judgement: Judgement
  readonly door: (door: Door, behind: { readonly core: Core; readonly token: string }) => Door
  readonly service: (service: ServiceClient) => ServiceClient
  readonly tokens: (tokens: Tokens) => Tokens
  readonly store: (store: Store) => Store
  /** How the addresses are told to others. */
  readonly address: (template: string) => string
}

export const CAREFUL: Parts = {
  judgement: careful,
  door: (door) => door,
  service: (service) => service,
  tokens: (tokens) => tokens,
  store: (store) => store,
  address: (template) => template,
}

/** Starts a receiver that loses nothing and acts once. Rejects if a port is taken or the store cannot be opened. */
export async function startReceiver(options: ReceiverOptions, parts: Parts = CAREFUL): Promise<Receiver> {
  const { judgement } = parts
  const stopped = new AbortController()
  const tokens = parts.tokens(createTokens(options.service, stopped.signal))
  const service = createServiceClient(options.service, tokens, stopped.signal)
  const core = openCore({
    store: parts.store(openStore(options.store)),
    service: parts.service(service),
    judgement,
    onError: options.onError,
  })
  const server = await serveHttps(
    parts.door(createDoor(core, options, judgement), { core, token: options.token }),
    options,
  )
  const page = await serveEffects(core, options.effectsPort)
  const template = (folder: string) =>
    parts.address(`https://localhost:${server.port}/${folder}/{object_type}/${options.token}`)
  return {
    webhooks: template('notifications'),
    callbacks: template('callbacks'),
    effects: `http://127.0.0.1:${page.port}/effects/{object_type}/{id}`,
    port: server.port,
    core,
    async close() {
      stopped.abort()
      await Promise.all([server.close(), page.close()])
      await core.close()
    },
  }
}
