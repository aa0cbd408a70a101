import { expect, test } from 'vitest'
import { createRunOptions } from '../../../contracts/config/run-options.ts'
import { readyText } from '../../../contracts/report/ready-text.ts'
import { context } from '../support/config-context.ts'

const plain = (_: unknown, text: string) => text

function readyWith(config: object, sinkUrl?: string): string {
  const options = createRunOptions(
    { receiver: { url: 'https://localhost/{object_type}' }, ...config },
    context,
  )
  return readyText({ options, serviceUrl: 'http://127.0.0.1:4010', sinkUrl, count: 61 }, plain)
}

test('readyText() contains the service address and the credentials that the receiver needs', () => {
  expect(readyWith({})).toBe(`Running 61 checks against your receiver
  service   http://127.0.0.1:4010  for the calls of your receiver
  client    sandbox / sandbox-secret  for POST /tokens
  user      sandbox@example.test / sandbox-token  for HTTP Basic
  observed  answers, but not calls back, effects, process
  seed      42
`)
})

test('readyText() hides credentials except the public defaults', () => {
  const text = readyWith({ credentials: { client_secret: 'hush', api_token: 'hush' } })

  expect(text).not.toContain('hush')
  expect(text).toContain('client    sandbox / (yours)')
})

test('readyText() hides the credentials of a running sandbox and announces that the run restores the world', () => {
  const text = readyWith({ service: { attach: 'http://127.0.0.1:4011', token: 'hush' } })

  expect(text).toContain('bench     http://127.0.0.1:4011  the world is restored at the end')
  expect(text).not.toMatch(/hush|client/)
})

test('readyText() names the new world, announces its removal, and hides the secrets for process.start', () => {
  const text = readyWith({
    service: { attach: 'http://127.0.0.1:4011', token: 'hush', world: 'new' },
    process: { start: 'a', stop: 'b' },
  })

  expect(text).toContain(
    'bench     http://127.0.0.1:4011  the world "check-k3f9c1d2" is removed at the end\n',
  )
  expect(text).toContain('client    check-k3f9c1d2 / (passed to process.start)  for POST /tokens\n')
  expect(text).not.toMatch(/hush|unguessable secret/)
})
