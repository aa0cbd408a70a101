/** @module-tag chromium */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, type Listener } from '../../sandbox/adapters/node-server.ts'
import type { RequestHandler } from '../../sandbox/engine/core/http.ts'
import { testAuthority } from '../support/certificates.ts'
import { openChromium } from '../support/chromium.ts'
import { isBeyondLoopback } from '../support/listeners.ts'
import { testSandbox, type TestSandbox } from '../support/test-sandbox.ts'

// Requests that a hostile page can make a browser send. To show that each attack works, the test also runs it against an
// unprotected server, where it succeeds. With `HOOKBENCH_LISTENERS=beyond-loopback`, the attacks also run against public
// listeners. The user has accepted the certificate of the public listeners.

let browser: Browser
let sandbox: TestSandbox
let listeners: Readonly<Record<'service' | 'bench' | 'naive', string>>
const reached = { naive: [] as string[], guarded: [] as string[] }
const open: (Listener | Server)[] = []
const pages = new Map<string, Page>()

function watched(handle: RequestHandler): RequestHandler {
  return (request) => {
    reached.guarded.push(`${request.method} ${request.path}`)
    return handle(request)
  }
}

type Answer = Parameters<typeof createServer>[1]

const leaf = isBeyondLoopback
  ? await (await testAuthority()).issue({ hosts: ['hookbench.test', '127.0.0.1'] })
  : undefined
const BEYOND = leaf && {
  place: { address: '127.0.0.1', allowedHosts: ['hookbench.test'] },
  tls: { certificatePem: leaf.cert, privateKeyPem: leaf.key },
}
const SCHEME = leaf ? 'https' : 'http'
const HOST = leaf ? 'hookbench.test' : '127.0.0.1'
const CONTEXT = { ignoreHTTPSErrors: true }

async function serve(answer: Answer): Promise<number> {
  return listenOn(createServer({}, answer))
}

async function listenOn(server: Server): Promise<number> {
  open.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  sandbox = testSandbox()
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  const [service, bench] = await Promise.all([
    listen(watched(sandbox.handle), { port: 0, flag: '--port', ...BEYOND }),
    listen(watched(sandbox.benchHandle), { port: 0, flag: '--bench-port', exactPaths: true, ...BEYOND }),
  ])
  open.push(service, bench)
  const answer: Answer = ({ method, url }, response) => {
    reached.naive.push(`${method} ${url}`)
    response.setHeader('access-control-allow-origin', '*').end('{}')
  }
  const naive = await (leaf ? listenOn(createTlsServer({ ...leaf }, answer)) : serve(answer))
  listeners = { service: service.publicUrl, bench: bench.publicUrl, naive: `${SCHEME}://${HOST}:${naive}` }
  const evil = await serve(
    (_, response) => void response.setHeader('content-type', 'text/html').end('<body>'),
  )
  browser = await openChromium()
  for (const [name, host] of [
    ['another site', 'evil.test'],
    ['the same site', 'localhost'],
    ['the same address', '127.0.0.1'],
  ] as const) {
    const page = await browser.newPage(CONTEXT)
    await page.goto(`http://${host}:${evil}/`)
    pages.set(name, page)
  }
})

afterAll(async () => {
  await browser.close()
  for (const each of open) {
    if ('url' in each) await each.close(0)
    else each.close().closeAllConnections()
  }
})

/** The attack scripts that run in a page. `url` is the address to attack. Each script resolves when its request has ended. */
const ATTACKS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [
      `fetch ${method}`,
      `fetch(url, { method: '${method}' }).catch(() => {})`,
    ]),
  ),
  'fetch with a token': `fetch(url, { headers: { authorization: 'Bearer bench-token' } }).catch(() => {})`,
  'fetch of JSON': `fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).catch(() => {})`,
  'fetch with credentials': `fetch(url, { credentials: 'include' }).catch(() => {})`,
  'fetch without CORS': `fetch(url, { mode: 'no-cors' }).catch(() => {})`,
  'POST without CORS': `fetch(url, { mode: 'no-cors', method: 'POST', body: '{}' }).catch(() => {})`,
  'a form without CORS': `fetch(url, { mode: 'no-cors', method: 'POST', body: new URLSearchParams('a=b') }).catch(() => {})`,
  'fetch without a referrer': `fetch(url, { mode: 'no-cors', referrerPolicy: 'no-referrer' }).catch(() => {})`,
  XMLHttpRequest: `new Promise((done) => {
    const call = new XMLHttpRequest()
    call.onloadend = done
    call.open('POST', url)
    call.send('{}')
  })`,
  'a beacon': `(navigator.sendBeacon(url, '{}'), fetch(url, { mode: 'no-cors' }).catch(() => {}))`,
  'an image': `new Promise((done) => { const image = new Image(); image.onload = image.onerror = done; image.src = url })`,
  'a script': `new Promise((done) => {
    const script = document.createElement('script')
    script.onload = script.onerror = done
    script.src = url
    document.body.append(script)
  })`,
  'a style sheet': `new Promise((done) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.onload = link.onerror = done
    link.href = url
    document.head.append(link)
  })`,
  'a frame': `new Promise((done) => {
    const frame = document.createElement('iframe')
    frame.onload = done
    frame.src = url
    document.body.append(frame)
  })`,
  ...Object.fromEntries(
    ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'].map((type) => [
      `a form of ${type}`,
      `new Promise((done) => {
        const frame = document.createElement('iframe')
        frame.name = 'target' + Math.random()
        document.body.append(frame)
        const form = document.createElement('form')
        Object.assign(form, { action: url, method: 'POST', enctype: '${type}', target: frame.name })
        form.innerHTML = '<input name="on" value="delivery"><input name="kind" value="drop">'
        document.body.append(form)
        frame.onload = done
        form.submit()
      })`,
    ]),
  ),
  'a WebSocket': `new Promise((done) => {
    const socket = new WebSocket(url.replace('http', 'ws'))
    socket.onopen = socket.onclose = socket.onerror = done
  })`,
  'an event stream': `new Promise((done) => {
    const stream = new EventSource(url)
    stream.onopen = stream.onerror = () => { stream.close(); done() }
  })`,
  'a page without an origin': `new Promise((done) => {
    addEventListener('message', done, { once: true })
    const frame = document.createElement('iframe')
    frame.sandbox = 'allow-scripts'
    frame.srcdoc = '<script>fetch(' + JSON.stringify(url) + ', { method: "POST", mode: "no-cors" }).catch(() => {}).finally(() => parent.postMessage(1, "*"))<' + '/script>'
    document.body.append(frame)
  })`,
}

const PATHS = { service: '/webhooks', bench: '/control/faults', naive: '/' } as const

async function attack(from: string, how: string, listener: keyof typeof PATHS): Promise<void> {
  const path = how === 'an event stream' && listener === 'bench' ? '/control/events' : PATHS[listener]
  const url = JSON.stringify(listeners[listener] + path)
  await pages.get(from)?.evaluate(`(async (url) => { await ${ATTACKS[how]} })(${url})`)
}

const stored = () => JSON.stringify([...sandbox.store.entries()])

test.each(Object.keys(ATTACKS))('a page of another origin cannot reach a sandbox through %s', async (how) => {
  const before = stored()
  for (const from of ['another site', 'the same site', 'the same address']) {
    const arrived = reached.naive.length
    await attack(from, how, 'naive')

    expect(reached.naive.length, `${how} is no attack from ${from}`).toBeGreaterThan(arrived)

    await attack(from, how, 'service')
    await attack(from, how, 'bench')

    expect(reached.guarded).toEqual([])
  }
  expect([stored() === before, sandbox.errors]).toEqual([true, []])
})

test.each(['/control/health', '/control/faults', '/control/events', '/control/snapshot', '/items', '/'])(
  'a page with a DNS-rebinding host name cannot reach %s',
  async (path) => {
    const page = await browser.newPage(CONTEXT)
    for (const listener of ['service', 'bench'] as const) {
      const { port } = new URL(listeners[listener])
      for (const host of ['rebind.test', 'localhost.rebind.test', '127.0.0.1.rebind.test']) {
        const response = await page.goto(`${SCHEME}://${host}:${port}${path}`)

        expect(response?.status()).toBe(403)
      }
    }
    await page.close()
    expect(reached.guarded).toEqual([])
  },
)

test('a web page from another origin cannot read a response', async () => {
  const read = `fetch(url).then((answer) => answer.text(), () => 'unreadable')`
  const said = await pages
    .get('another site')
    ?.evaluate(`(async (url) => ${read})(${JSON.stringify(`${listeners.bench}/control/health`)})`)

  expect(said).toBe('unreadable')
})
