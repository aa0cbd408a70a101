import { expect, test } from 'vitest'
import { careful } from '../support/careful.ts'
import { book, receiverOf } from '../support/careless.ts'
import { openContext } from '../support/check-context.ts'
import type { Receive } from '../support/scripted-receiver.ts'
import { checkNamed, findingOf } from '../support/verdicts.ts'

const check = checkNamed('recovery/kill-at-work')

async function watched(receive: Receive) {
  const context = await openContext({ receive })
  const notes: string[] = []
  const { process: hooks } = context
  const stop = async () => {
    notes.push('stop')
    await hooks.stop()
  }
  const start = async () => {
    notes.push('start')
    await hooks.start()
  }
  return { finding: await check.run({ ...context, process: { ...hooks, stop, start } }), notes }
}

test('the check recovery/kill-at-work kills the receiver three times and passes a receiver that rejects deliveries until the service answers', async () => {
  const { finding, notes } = await watched(careful)

  expect(finding).toEqual({ kind: 'passed' })
  expect(notes).toEqual(['stop', 'start', 'stop', 'start', 'stop', 'start'])
})

test('the check recovery/kill-at-work is not observable when the receiver never calls the service', async () => {
  const { finding } = await watched(() => ({ status: 200 }))

  expect(finding).toEqual({
    kind: 'not-observable',
    why: expect.stringMatching(
      /^the receiver did not ask for the \w+ of [\w-]+, so the check could not stop it during its work$/,
    ),
  })
})

test('the check recovery/resent-after-outage fails a receiver that rejects resent notifications', async () => {
  const final = new Set<string>()
  const receive = receiverOf((news) => {
    const { id, claimed } = news
    if (claimed['state'] === 'successful') final.add(id)
    return final.has(id) && claimed['state'] !== 'successful' ? { status: 409 } : book(news, claimed)
  })

  expect(
    await findingOf('recovery/resent-after-outage', {
      receive,
      observe: { calls: false },
    }),
  ).toMatchObject({ kind: 'failed', actual: expect.stringContaining('sent again by hand was answered 409') })
})
