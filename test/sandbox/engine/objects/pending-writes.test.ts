import { expect, test } from 'vitest'
import { newObjectDefaults } from '../../../../sandbox/engine/objects/new-object-defaults.ts'
import { newObject } from '../../../../sandbox/engine/objects/objects.ts'
import { withPendingWrites } from '../../../../sandbox/engine/objects/pending-writes.ts'
import type { ObjectWrite } from '../../../../sandbox/engine/state/write.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

test('a context with pending writes shows the last of an object, under its own type, and the rest as it is', async () => {
  const sandbox = testSandbox()
  const { body } = await sandbox.control('POST', '/objects/items', { name: 'Stored' })
  const id = sandbox.context.newId()
  const named = (name: string): ObjectWrite => ({
    kind: 'object',
    object_type: 'items',
    object: newObject('items', { name }, newObjectDefaults(id, sandbox.context)),
  })

  const { view } = withPendingWrites(sandbox.context, [named('First'), named('Second')])

  expect([view.object('items', id)?.body.name, view.object('items', body.id)?.body.name]).toEqual([
    'Second',
    'Stored',
  ])
  expect([view.object('users', id), sandbox.context.view.object('items', id)]).toEqual([undefined, undefined])
})
