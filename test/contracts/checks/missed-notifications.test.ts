import { expect, test } from 'vitest'
import type { ObjectRef } from '../../../contracts/finding.ts'
import type { Play } from '../../../contracts/toolkit/check-context.ts'
import { careful, take } from '../support/careful.ts'
import { openContext, type ContextOptions } from '../support/check-context.ts'
import type { Desk } from '../support/scripted-receiver.ts'
import { checkNamed } from '../support/verdicts.ts'

const check = checkNamed('recovery/missed-notifications')

/**
 * Runs the missed-notifications check. Passes the objects of all notifications to `reconcile`. A real platform would get the
 * objects of missed notifications from the service's list of failed jobs.
 */
async function findingWith(
  reconcile: (missed: readonly ObjectRef[], desk: Desk) => Promise<string | undefined>,
  { obstacle, ...options }: Partial<ContextOptions> & { readonly obstacle?: string } = {},
) {
  const plays: Play[] = []
  const missed = () => plays.flatMap(({ messages }) => messages)
  const context = await openContext({
    receive: careful,
    ...options,
    reconcile: (desk) => reconcile(missed(), desk),
  })
  const { service } = context
  return check.run({
    ...context,
    service: {
      ...service,
      async play(...wish) {
        const play = await service.play(...wish)
        plays.push(play)
        return play
      },
      beginOutage: async () => ({ obstacle, outlast: async () => missed().length }),
    },
  })
}

async function askForEach(missed: readonly ObjectRef[], desk: Desk): Promise<undefined> {
  for (const { type, id } of missed) {
    const shown: unknown = JSON.parse((await desk.call(`/${type}/${encodeURIComponent(id)}`)).body)
    const object = type === 'virtual_accounts' ? shown : Reflect.get(Object(shown), type)
    take(desk, { type, id, object })
  }
}

test('the missed-notifications check passes a platform that fetches the object of each failed job', async () => {
  expect(await findingWith(askForEach)).toEqual({ kind: 'passed' })
})

test('the missed-notifications check reports a failed reconciliation as its finding', async () => {
  const finding = await findingWith(() => Promise.resolve('reconcile.http answered 500'))

  expect(finding).toMatchObject({
    kind: 'failed',
    expected: 'a successful run of the command or URL in "reconcile"',
    actual: expect.stringContaining('reconcile.http answered 500'),
  })
})

test('the missed-notifications check is not observable when the receiver cannot be registered', async () => {
  const finding = await findingWith(askForEach, { obstacle: 'items: 422: the test POST was answered 401' })

  expect(finding).toEqual({
    kind: 'not-observable',
    why: 'The service could not register the receiver: items: 422: the test POST was answered 401',
  })
})
