import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** The built site, as a host of static files serves it under `/hookbench/`. */
export async function serveSite(folder: string) {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site.test').pathname.replace(/^\/hookbench\//, '')
    const file = [path, `${path}.html`, join(path, 'index.html')]
      .map((name) => join(folder, name))
      .find((name) => existsSync(name) && statSync(name).isFile())
    if (file === undefined) return response.writeHead(404).end()
    return response
      .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' })
      .end(readFileSync(file))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hookbench/`,
    close: () => server.close().closeAllConnections(),
  }
}
