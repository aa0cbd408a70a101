import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createRunOptions } from '../../../contracts/config/run-options.ts'
import { addOwnWorld } from '../../../contracts/probes/attached-world.ts'
import { openRun } from '../../../contracts/run/open-run.ts'
import { openService } from '../../../contracts/run/service.ts'
import type { AttachedService, RunOptions } from '../../../contracts/toolkit/options.ts'
import { serveHttp } from '../../support/scripted-server.ts'
import { context } from '../support/config-context.ts'

interface Bench {
  readonly calls: readonly string[]
  readonly options: RunOptions
  readonly service: AttachedService
  close(): Promise<void>
}

/** Opens a control API that answers with an empty object by default. */
async function openBench(
  answers: Readonly<Record<string, (response: ServerResponse) => void>> = {},
): Promise<Bench> {
  const calls: string[] = []
  const { origin, close } = await serveHttp((request, response) => {
    const call = `${request.method} ${request.url}`
    const world = request.headers['hookbench-world']
    calls.push(world === undefined ? call : `${call} in ${String(world)}`)
    const answer = answers[call]
    if (answer) return answer(response)
    response.setHeader('content-type', 'application/json').end('{"service_url":"http://127.0.0.1:1"}')
  })
  onTestFinished(close)
  const options = createRunOptions(
    {
      receiver: { url: 'https://localhost:1/{object_type}', callsBack: false },
      service: { attach: true, world: 'new', ttlSeconds: 600 },
    },
    { ...context, findBench: () => ({ url: origin, token: 't' }) },
  )
  if (options.service.kind === 'own') throw new Error('It is a sandbox of its own')
  return { calls, options, service: options.service, close }
}

const NAME = 'check-k3f9c1d2'
const own = { name: NAME, lifetimeSeconds: 600, isToBeTold: false }

const refuse = (status: number, error: object) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))

test('when its world cannot be removed, a run keeps its result and reports when the world expires', async () => {
  const said = collectErrors()
  const { service, close } = await openBench()
  const { remove } = await addOwnWorld(own, service)

  await close()
  await remove()

  expect(said).toEqual([
    expect.stringMatching(
      /^hookbench: Cannot remove world "check-k3f9c1d2": Cannot .* The sandbox removes the world 600 seconds after the run added it/,
    ),
  ])
})

/** Collects the error output of a run. */
function collectErrors(): readonly unknown[] {
  const said: unknown[] = []
  vi.spyOn(console, 'error').mockImplementation((text) => void said.push(text))
  onTestFinished(() => void vi.restoreAllMocks())
  return said
}

const GONE = `Cannot open world "${NAME}": see the log of the sandbox`

test.each<readonly [what: string, status: number, error: object, lost: object, said: readonly unknown[]]>([
  [
    'gives no verdict and reports the world expiry when the sandbox storage fails',
    507,
    { code: 'storage_gone', message: GONE },
    { name: 'UnreachableError', message: `Cannot continue the run: ${GONE}. Repeat the run` },
    [
      `hookbench: Cannot remove world "${NAME}": ${GONE}. The sandbox removes the world 600 seconds after the run added it`,
    ],
  ],
  [
    'reports the original error when a call is rejected for a reason unrelated to its world',
    409,
    { code: 'conflict', message: 'Cannot do it' },
    { name: 'RefusedError', message: 'Cannot do it' },
    [expect.stringContaining('Cannot do it')],
  ],
])('a run %s', async (_, ...[status, error, lost, said]) => {
  const errors = collectErrors()
  const answer = refuse(status, error)
  const { options } = await openBench({
    'GET /control/clock': answer,
    [`DELETE /control/worlds/${NAME}`]: answer,
  })
  const service = await openService(options)

  await expect(service.perform('getClock')).rejects.toMatchObject(lost)
  await service.close()
  expect(errors).toEqual(said)
})

test('a run removes its world when the run is closed while the world is being created', async () => {
  const adding = Promise.withResolvers<ServerResponse>()
  const { calls, options } = await openBench({
    'POST /control/worlds': (response) => adding.resolve(response),
  })
  let closed: Promise<void> | undefined

  // The run is closed before its world opens.
  void openRun(options, ({ close }) => {
    closed = close()
  })
  ;(await adding.promise).setHeader('content-type', 'application/json').end('{}')
  await closed

  expect(calls[0]).toBe('POST /control/worlds')
  expect(calls).toContain(`POST /control/reset?unsubscribed=ignore in ${NAME}`)
  expect(calls.at(-1)).toBe(`DELETE /control/worlds/${NAME}`)
})
