import { expect, test } from 'vitest'
import type { HttpAnswer, HttpCall } from '../../../../sandbox/client/http-call.ts'
import { createApp } from '../../../../sandbox/dashboard/state/app.ts'
import { commandLine } from '../../../../sandbox/engine/core/command-line.ts'
import { testPage } from '../page-ports.ts'

/** A stream that stays open until it is aborted. */
async function* openStream(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('id: r-1\n\n')
  await new Promise((resolve) => signal?.addEventListener('abort', resolve))
}

const reply = (json: unknown, status = 200): HttpAnswer => ({
  ok: status < 400,
  status,
  url: 'http://127.0.0.1:4011',
  body: null,
  json: async () => json,
})

/** Opens a page. The sandbox has only these worlds, and a call that names another world gets 404. */
async function openPage({ world, names }: { readonly world?: string; readonly names: string[] }) {
  const page = testPage({ world })
  const calls: (readonly [path: string, world: string | undefined])[] = []
  const through: HttpCall = async (url, { headers, signal }) => {
    const { pathname } = new URL(url)
    calls.push([pathname, headers['hookbench-world']])
    if (pathname === '/control/worlds') return reply({ worlds: names.map((name) => ({ name })) })
    if (world !== undefined && !names.includes(world)) return reply({ error: { message: 'none' } }, 404)
    if (pathname === '/control/events') return { ...reply({}), body: openStream(signal) }
    if (pathname === '/control/sandbox')
      return reply({ data_folder: '.bench', service_url: 'http://127.0.0.1:5010' })
    return reply({
      now: '2026-01-01T00:00:00.000Z',
      faults: [],
      jobs: [],
      payments: [],
      calls: [],
      before: null,
    })
  }
  const app = createApp(page, through)
  app.open()
  await page.later()
  return { app, page, calls, line: () => commandLine('jobs', app.target.value) }
}

test('every call of a page names the world in the page URL', async () => {
  const { calls } = await openPage({ world: 'anna', names: ['default', 'anna'] })

  expect(calls.map(([path]) => path)).toEqual(
    expect.arrayContaining(['/control/events', '/control/clock', '/control/timeline']),
  )
  expect(calls.filter(([, world]) => world !== 'anna')).toEqual([])
})

test('a page names no world when the page URL contains no world', async () => {
  const { app, calls, line } = await openPage({ names: ['default'] })

  expect(calls.filter(([, world]) => world !== undefined)).toEqual([])
  expect([line(), app.worlds.rows.value?.worlds.length]).toEqual(['npx hookbench jobs --data .bench', 1])
})

test('the list of worlds reloads when the user returns', async () => {
  const names = ['default']
  const { app, page } = await openPage({ names })
  const before = app.worlds.rows.value?.worlds.map(({ name }) => name)

  names.push('anna')
  page.comeBack()
  await page.later()

  expect([before, app.worlds.rows.value?.worlds.map(({ name }) => name)]).toEqual([
    ['default'],
    ['default', 'anna'],
  ])
})

test('a page that shows a missing world makes no further call', async () => {
  const { app, page, calls } = await openPage({ world: 'anna', names: ['default'] })
  const asked = calls.length

  page.pass(60_000)
  await page.later()

  expect([app.stream.value, calls.length]).toEqual(['no-world', asked])
})

test('the start command on the page contains the ports of the sandbox', async () => {
  const { app } = await openPage({ names: ['default'] })

  expect(app.startLine.value).toBe('npx hookbench up --port 5010 --data .bench')
})
