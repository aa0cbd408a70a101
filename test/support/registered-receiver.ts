import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startWithDefect } from '../../contracts/reference-receiver/defects.ts'
import { startReceiver, type Receiver } from '../../contracts/reference-receiver/receiver.ts'
import type { openWorkshop } from './program.ts'

interface RegisteredOptions {
  /** Where the sandbox's service listens, which the receiver asks back. */
  readonly service: string
  readonly defect?: string | undefined
  /** What it is registered for; what an NPP pay-in notifies if left out. */
  readonly types?: readonly string[]
}

let count = 0

/** The reference receiver, registered at the sandbox of the folder. */
export async function registerReceiver(
  shop: Pick<ReturnType<typeof openWorkshop>, 'folder' | 'run'>,
  { service, defect, types = ['transactions'] }: RegisteredOptions,
): Promise<Receiver> {
  await shop.run('cert', 'localhost')
  const pem = (name: string) => readFileSync(join(shop.folder, name), 'utf8')
  const options = {
    cert: pem('localhost.crt.pem'),
    key: pem('localhost.key.pem'),
    port: 0,
    effectsPort: 0,
    store: join(shop.folder, `receiver-${++count}.sqlite`),
    token: '3f9c1d2ab47e8051',
    service: { url: service, clientId: 'sandbox', clientSecret: 'sandbox-secret', timeoutMs: 3_000 },
    onError: (error: unknown) => console.error(error),
  }
  const receiver = await (defect === undefined ? startReceiver(options) : startWithDefect(defect, options))
  for (const type of types) {
    const url = receiver.webhooks.replace('{object_type}', type)
    const { code, stderr } = await shop.run('register', url, '--type', type, '--replace')
    if (code !== 0) throw new Error(stderr)
  }
  return receiver
}
