import { expect, test } from 'vitest'
import { newObjectDefaults } from '../../../../sandbox/engine/objects/new-object-defaults.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

test('a number that an account has is drawn for no other one', async () => {
  const sandbox = testSandbox()
  const { body } = await sandbox.control('POST', '/objects/accounts', {})
  const taken: number = body.object.id
  const drawn = [taken, taken, 1_234_567]
  const newNumber = () => drawn.shift() ?? expect.fail('it needs no more')

  const { number } = newObjectDefaults('a-new-one', { ...sandbox.context, newNumber })

  expect(number).toBe(1_234_567)
})
