import { createServer, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { TestNode } from './postgres-nodes.ts'

/** A receiver with a certificate of this node's CA. */
export async function receiver(node: TestNode, status: () => number) {
  const { certificatePem: cert, privateKeyPem: key } = await node.ca.issue(['localhost'])
  const received: string[] = []
  const server = createServer({ cert, key }, (request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      const isTest = 'message' in Object(JSON.parse(text))
      if (!isTest) received.push(text)
      response.writeHead(isTest ? 200 : status()).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `https://localhost:${port}/`, received }
}

/** The status of a call that trusts the node's own CA only. */
export async function viaHttps(node: TestNode, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${node.rootToken}` }
    get(`${node.benchUrl}${path}`, { ca: node.ca.certificatePem, headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
}
