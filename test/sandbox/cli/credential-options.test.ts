import { expect, test } from 'vitest'
import { environmentCredentials } from '../../../sandbox/cli/credential-options.ts'
import { UsageError } from '../../../sandbox/cli/failure.ts'

test('the environment gives what it has of the credentials, and nothing else', () => {
  const environment = {
    HOOKBENCH_CLIENT_ID: 'mine',
    HOOKBENCH_API_TOKEN: 'token',
    HOOKBENCH_TOKEN: 'the bench',
  }

  expect(environmentCredentials(environment)).toEqual({ client_id: 'mine', api_token: 'token' })
})

test('an empty credential of the environment is refused by its name', () => {
  expect(() => environmentCredentials({ HOOKBENCH_EMAIL: '' })).toThrow(
    new UsageError('Cannot use an empty email: give it a value, or leave it out'),
  )
})
