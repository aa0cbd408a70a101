import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseOptions } from '../../../contracts/reference-receiver/options.ts'

/** The flags that must be there, each with a file of its own. */
function requiredFlags() {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-receiver-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = (name: string) => {
    writeFileSync(join(folder, name), name)
    return join(folder, name)
  }
  return ['--cert', file('cert'), '--key', file('key'), '--data', join(folder, 'data')]
}

test('the receiver listens at its usual ports, and takes deliveries from anywhere', () => {
  expect(parseOptions(requiredFlags())).toMatchObject({
    defect: undefined,
    options: {
      cert: 'cert',
      key: 'key',
      port: 9443,
      effectsPort: 9444,
      allowed: undefined,
      service: { url: 'http://127.0.0.1:4010', clientId: 'sandbox', clientSecret: 'sandbox-secret' },
    },
  })
})

test('the receiver keeps the token that it made, so that its address stays the same', () => {
  const flags = requiredFlags()
  const { token } = parseOptions(flags).options

  expect(token).toMatch(/^[\da-f]{64}$/)
  expect(parseOptions(flags).options.token).toBe(token)
  expect(parseOptions([...flags, '--token', 'mine']).options.token).toBe('mine')
})

test('what deliveries may come from is a list for each generation', () => {
  const flags = [...requiredFlags(), '--allow-webhooks', '127.0.0.2,127.0.0.3']

  expect(parseOptions(flags).options.allowed).toEqual({ webhooks: ['127.0.0.2', '127.0.0.3'], callbacks: [] })
})

test('what webhooks are signed with is one secret, or several while it changes', () => {
  const flags = requiredFlags()

  expect(parseOptions(flags).options.secrets).toBeUndefined()
  expect(parseOptions([...flags, '--secret', 'new', '--secret', 'old']).options.secrets).toEqual([
    'new',
    'old',
  ])
})

test.each(['--cert', '--key', '--data'])('the receiver does not start without %s', (flag) => {
  const flags = requiredFlags()
  flags.splice(flags.indexOf(flag), 2)

  expect(() => parseOptions(flags)).toThrow(`Cannot start: ${flag} is missing`)
})

test('the environment says where the service is, unless a flag does', () => {
  const environment = { HOOKBENCH_SERVICE_URL: 'http://127.0.0.1:4711' }
  const flags = requiredFlags()
  const urls = [flags, [...flags, '--service', 'http://127.0.0.1:1']].map(
    (given) => parseOptions(given, environment).options.service.url,
  )

  expect(urls).toEqual(['http://127.0.0.1:4711', 'http://127.0.0.1:1'])
})

test('the environment says what it asks the service with, unless a flag does', () => {
  const environment = { HOOKBENCH_CLIENT_ID: 'job-7', HOOKBENCH_CLIENT_SECRET: 'of job 7' }
  const flags = requiredFlags()
  const clients = [flags, [...flags, '--client-id', 'mine']].map((given) => {
    const { clientId, clientSecret } = parseOptions(given, environment).options.service
    return [clientId, clientSecret]
  })

  expect(clients).toEqual([
    ['job-7', 'of job 7'],
    ['mine', 'of job 7'],
  ])
})

test('the clock of the receiver begins at the instant of the environment, and goes on', () => {
  const clockAt = (now?: string) =>
    parseOptions(requiredFlags(), { HOOKBENCH_NOW: now }).options.clock?.() ?? 0
  const later = clockAt('2036-01-01T00:00:00.000Z') - Date.parse('2036-01-01T00:00:00.000Z')

  expect(later).toBeGreaterThanOrEqual(0)
  expect(later).toBeLessThan(60_000)
  expect(Math.abs(clockAt() - Date.now())).toBeLessThan(60_000)
  expect(() => clockAt('tomorrow')).toThrow('Cannot start: HOOKBENCH_NOW is "tomorrow"')
})
