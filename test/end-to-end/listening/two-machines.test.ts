import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

type Outcomes = Readonly<Record<string, unknown>>

async function tryOnTwoMachines(): Promise<Outcomes> {
  const program = fileURLToPath(new URL('main.ts', import.meta.url))
  const child = spawn('unshare', ['--net', '--mount', process.execPath, program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, said] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (child.exitCode === 0) return JSON.parse(printed)
  throw new Error(said)
}

const said = (...parts: readonly string[]) => ({ code: 0, said: expect.stringMatching(parts.join('[^]*')) })

test(
  'another machine can use a public sandbox with the name, token and CA of the sandbox',
  { tags: 'namespaces' },
  async () => {
    const outcomes = await tryOnTwoMachines()

    expect(outcomes).toMatchObject({
      loopbackOnly: '000',
      ready: {
        service_url: 'https://127.0.0.1:4010',
        bench_url: 'https://127.0.0.1:4011',
        allowed_hosts: ['hookbench'],
      },
      byAddress: '403',
      untrusted: '000',
      here: said('https://127.0.0.1:4010', 'https://127.0.0.1:4011'),
      itself: { code: 1, said: expect.stringContaining('"hookbench:4010" is the sandbox itself') },
      page: [
        said('https://hookbench:4010', 'https://hookbench:4011'),
        said('Registered https://receiver:9443/hooks for items'),
        said('Created items', 'https://receiver:9443/hooks'),
        said('items', 'success'),
        said('https://hookbench:4010', 'Nothing failed'),
        said('"status":"ready"', 'https://hookbench:4010'),
      ],
      event: said('200'),
      checkedHere: said('https://127.0.0.1:4010', 'Nothing failed'),
      down: said('Stopped'),
      received: expect.arrayContaining([
        expect.stringContaining('"message"'),
        expect.stringContaining('"amount":1200'),
      ]),
    })
  },
)
