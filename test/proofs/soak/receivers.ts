import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { openFaultyReceiver } from './faulty-receiver.ts'
import type { Ledger } from './ledger.ts'
import type { SoakedSandbox } from './sandbox.ts'

/** Four receivers are healthy, and one of five is faulty. */
export const RECEIVERS = [
  { name: 'items', generation: 'webhooks', objectType: 'items', isFaulty: false },
  { name: 'users', generation: 'webhooks', objectType: 'users', isFaulty: false },
  { name: 'items-callbacks', generation: 'callbacks', objectType: 'items', isFaulty: false },
  { name: 'users-callbacks', generation: 'callbacks', objectType: 'users', isFaulty: false },
  { name: 'companies', generation: 'webhooks', objectType: 'companies', isFaulty: true },
] as const

/** Opens all of them and registers them; what each gets goes into the ledger. Returns what closes them. */
export async function openReceivers(
  { certificate, register }: Pick<SoakedSandbox, 'certificate' | 'register'>,
  ledger: Ledger,
): Promise<() => void> {
  async function take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    // What breaks off on its way was not received.
    const body = await text(incoming).catch(() => undefined)
    if (body === undefined) return
    ledger.received((incoming.url ?? '').slice(1), body)
    outgoing.writeHead(204).end()
  }
  const healthy = createServer(certificate, (incoming, outgoing) => void take(incoming, outgoing))
  healthy.listen(0, '127.0.0.1')
  await once(healthy, 'listening')
  const { port } = healthy.address() as AddressInfo
  const faulty = await openFaultyReceiver(certificate, (body) => ledger.received('companies', body))
  for (const { name, generation, objectType, isFaulty } of RECEIVERS) {
    const url = `https://localhost:${isFaulty ? faulty.port : port}/${name}`
    await register(generation, { object_type: objectType, url })
  }
  faulty.begin()
  return () => {
    healthy.close().closeAllConnections()
    faulty.close()
  }
}
