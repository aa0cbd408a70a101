import { expect, test } from 'vitest'
import type { ConfigContext } from '../../../contracts/config/config-context.ts'
import { createRunOptions } from '../../../contracts/config/run-options.ts'
import { defaultCredentials } from '../../../sandbox/engine/core/settings.ts'
import { context } from '../support/config-context.ts'

const ATTACHED = { attach: true, world: 'new' } as const
const PROCESS = { start: 'start', stop: 'stop' }

function service(config: object, changes: Partial<ConfigContext> = {}) {
  const receiver = { url: 'https://localhost:9443/{object_type}' }
  const options = createRunOptions({ receiver, service: ATTACHED, ...config }, { ...context, ...changes })
  if (options.service.kind === 'own') throw new Error('It is a sandbox of its own')
  return options.service
}

test('a new world gets a generated name, expiry and credentials when process.start is configured', () => {
  const { world, ownWorld, credentials } = service({ process: PROCESS })

  expect(ownWorld).toEqual({ name: 'check-k3f9c1d2', lifetimeSeconds: 7_200, isToBeTold: true })
  expect(world).toBe('check-k3f9c1d2')
  expect(credentials).toEqual({
    client_id: 'check-k3f9c1d2',
    client_secret: 'an unguessable secret',
    email: 'check-k3f9c1d2@hookbench.test',
    api_token: 'an unguessable secret',
  })
})

test('a new world needs no process.start when the configuration contains receiver credentials', () => {
  const client = service({ credentials: { client_id: 'job-7' } })
  const user = service({}, { credentials: { email: 'job@7.test', api_token: 'its own' } })

  expect(client.ownWorld?.isToBeTold).toBe(false)
  expect(client.credentials).toEqual({
    client_id: 'job-7',
    client_secret: defaultCredentials.client_secret,
    email: 'check-k3f9c1d2@hookbench.test',
    api_token: 'an unguessable secret',
  })
  expect(user.credentials).toMatchObject({
    client_id: 'check-k3f9c1d2',
    email: 'job@7.test',
    api_token: 'its own',
  })
})

test('a new world needs no credentials when the receiver never calls the service', () => {
  const receiver = { url: 'https://localhost:9443/{object_type}', callsBack: false }

  expect(service({ receiver }).ownWorld?.isToBeTold).toBe(false)
})

test('the option ttlSeconds is accepted only for a new world', () => {
  const lasting = { ...ATTACHED, ttlSeconds: 90 }

  expect(service({ service: lasting, process: PROCESS }).ownWorld?.lifetimeSeconds).toBe(90)
  expect(() => service({ service: { attach: true, world: 'anna', ttlSeconds: 90 } })).toThrow(
    '"service.ttlSeconds" requires "service.world" to be "new"',
  )
})
