import { expect, test } from 'vitest'
import { findCredentials } from '../../../sandbox/cli/find-credentials.ts'
import { UsageError } from '../../../sandbox/cli/failure.ts'
import { RefusedError } from '../../../sandbox/client/requests.ts'
import type { Perform } from '../../../sandbox/compose/perform.ts'
import { defaultCredentials } from '../../../sandbox/engine/core/settings.ts'

const toOwn = (name: string) => ({
  client_id: `${name}-id`,
  client_secret: `${name}-secret`,
  email: `${name}@a.test`,
  api_token: `${name}-token`,
})

/** A sandbox whose token opens these worlds, and how often it was asked. */
function sandboxWith(...names: readonly string[]) {
  let asked = 0
  const perform = (async (id: string, input?: { path: { name: string } }) => {
    asked++
    if (id === 'listWorlds') return { worlds: names.map((name) => ({ name })) }
    const name = input?.path.name ?? ''
    return { name, access: { control_token: 'x', ...toOwn(name) } }
  }) as unknown as Perform
  return { perform, asked: () => asked }
}

test('the credentials are those of the world that is named', async () => {
  const { perform } = sandboxWith('default', 'anna')

  expect(await findCredentials({ world: 'anna' }, perform)).toEqual(toOwn('anna'))
})

test('where none is named they are those of the default world, or of the one that the token opens', async () => {
  expect(await findCredentials({}, sandboxWith('default', 'anna').perform)).toEqual(toOwn('default'))
  expect(await findCredentials({}, sandboxWith('anna').perform)).toEqual(toOwn('anna'))
})

test('a client that is given chooses the world, and nobody is asked', async () => {
  const { perform, asked } = sandboxWith('default')

  const found = await findCredentials({ clientId: 'mine', clientSecret: 'hush' }, perform)

  expect(found).toMatchObject({ client_id: 'mine', client_secret: 'hush' })
  expect(asked()).toBe(0)
})

test('a client without its secret has that of the world if it is its client', async () => {
  const { perform } = sandboxWith('default')

  expect(await findCredentials({ clientId: 'default-id' }, perform)).toEqual(toOwn('default'))
  expect(await findCredentials({ clientId: 'mine' }, perform)).toMatchObject({
    client_id: 'mine',
    client_secret: defaultCredentials.client_secret,
  })
})

test('a client of another world than the one that is named is refused', async () => {
  const { perform } = sandboxWith('default', 'anna')
  const given = { world: 'anna', clientId: 'ben-id', clientSecret: 'hush' }

  await expect(findCredentials(given, perform)).rejects.toThrow(UsageError)
  await expect(findCredentials(given, perform)).rejects.toThrow(
    /^Cannot call the service for world "anna" as client "ben-id": that client is of another world/,
  )
})

test('where a sandbox tells nothing of its worlds they are as given, unless one is named', async () => {
  const refuse: Perform = async () => {
    throw new RefusedError('Cannot do this here')
  }

  expect(await findCredentials({}, refuse)).toEqual(defaultCredentials)
  await expect(findCredentials({ world: 'anna' }, refuse)).rejects.toThrow(RefusedError)
})
