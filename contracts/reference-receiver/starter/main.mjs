/** Runs the receiver. The receiver needs Node 22.19 or newer, and no packages. Write the actions of your platform in `act()`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEndpoint, openProcessor, serveEndpoint, servePage } from './receiver.mjs'
import { createService, createTokens, listMissed } from './service.mjs'
import { openStore } from './store.mjs'

const { env } = process

/**
 * Runs once for each object that you must act on, in the transaction that stores the object. In this transaction, store the task to release goods or to credit a balance. Run the stored task later. If this function throws, the receiver tries again.
 */
function act({ type, id, amount, currency }) {
  console.log(`Acting on ${type} ${id}`, { amount, currency })
}

/** Tests set `HOOKBENCH_NOW` to move the receiver's clock by days. */
const aheadMs = env.HOOKBENCH_NOW ? Date.parse(env.HOOKBENCH_NOW) - Date.now() : 0
const clock = () => Date.now() + aheadMs
const stopped = new AbortController()

const account = {
  url: env.HOOKBENCH_SERVICE_URL ?? 'http://127.0.0.1:4010',
  clientId: env.SERVICE_CLIENT_ID ?? env.HOOKBENCH_CLIENT_ID ?? 'sandbox',
  clientSecret: env.SERVICE_CLIENT_SECRET ?? env.HOOKBENCH_CLIENT_SECRET ?? 'sandbox-secret',
}
const service = createService(account, createTokens(account, stopped.signal), stopped.signal)
const store = openStore(env.RECEIVER_STORE ?? join(import.meta.dirname, 'receiver.sqlite'), act)
const processor = openProcessor({ store, service, clock })

const endpoint = createEndpoint(processor, {
  /** The secret token at the end of the receiver's URLs. */
  token: env.RECEIVER_TOKEN ?? '3f9c1d2ab47e8051c6d20a94e7b1358f',
  /** The signature secrets, separated by commas. During a rotation there are two secrets. Without this variable, the receiver does not check signatures. */
  secrets: env.RECEIVER_SECRETS ? env.RECEIVER_SECRETS.split(',') : undefined,
  clock,
})
const server = await serveEndpoint(endpoint, {
  cert: readFileSync(env.RECEIVER_CERT ?? 'localhost.crt.pem'),
  key: readFileSync(env.RECEIVER_KEY ?? 'localhost.key.pem'),
  port: Number(env.RECEIVER_PORT ?? 9443),
})
const page = await servePage(
  {
    readEffects: processor.readEffects,
    async reconcile() {
      for (const notification of await listMissed(service)) processor.accept(notification)
    },
  },
  { port: Number(env.RECEIVER_PAGE_PORT ?? 9444) },
)
console.log('ready')

async function close() {
  await Promise.all([server.close(), page.close()])
  stopped.abort()
  await processor.close()
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void close())
