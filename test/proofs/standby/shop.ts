import { setTimeout } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import type { IncomingMessage } from 'node:http'
import type { IssuedCertificate } from '../../../sandbox/adapters/certificate-authority.ts'
import { serveHttp } from '../../support/scripted-server.ts'

export interface Shop {
  readonly url: string
  readonly countById: ReadonlyMap<string, number>
  close(): Promise<void>
}

/** The delay of each response, so that some responses are always in flight. */
const ANSWER_MS = 15

export async function openShop({ certificatePem, privateKeyPem }: IssuedCertificate): Promise<Shop> {
  const countById = new Map<string, number>()
  async function take(request: IncomingMessage): Promise<void> {
    const { id } = Object(JSON.parse(await text(request)).items)
    if (typeof id === 'string') countById.set(id, (countById.get(id) ?? 0) + 1)
    await setTimeout(ANSWER_MS)
  }
  const { origin, close } = await serveHttp(
    (request, response) => void take(request).then(() => response.writeHead(200).end()),
    { cert: certificatePem, key: privateKeyPem },
  )
  return { url: `${origin}/`, countById, close }
}
