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
