import { notifiedTypes } from '../../../spec/kinds.ts'
import type { Entry } from '../../../sandbox/engine/state/entries.ts'
import { openStoredSandbox, rawCall, type StoredSandbox } from '../../support/stored-sandbox.ts'

/** How many webhooks of one type are enabled at once in a round. */
const AT_ONCE = 100

/**
 * Plays rounds, the types taking turns: a hundred disabled webhooks of the type are enabled at once, over connections of their own to a
 * sandbox on a file. Gives one line for each round in which not exactly one of them won.
 */
export async function tryRounds(from: number, rounds: number): Promise<readonly string[]> {
  const sandbox = await openStoredSandbox()
  try {
    await sandbox.store.commit(notifiedTypes.flatMap(disabledWebhooks))
    const failures: string[] = []
    const token = await sandbox.grant()
    for (let round = from; round < from + rounds; round++) {
      const wrong = await playRound(sandbox, { round, token })
      if (wrong !== undefined) failures.push(`round ${round}: ${wrong}; repeat it with --from ${round}`)
    }
    return [...failures, ...sandbox.errors]
  } finally {
    await sandbox.close()
  }
}

type ObjectType = (typeof notifiedTypes)[number]

function idOf(type: ObjectType, index: number): string {
  const number = notifiedTypes.indexOf(type) * AT_ONCE + index
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

function disabledWebhooks(type: ObjectType): readonly Entry[] {
  return Array.from({ length: AT_ONCE }, (_, index) => ({
    head: {
      kind: 'registration',
      at: 1,
      registration: {
        id: idOf(type, index),
        url: `https://localhost:9443/${type}/${index}`,
        enabled: false,
        generation: 'webhooks',
        object_type: type,
        description: null,
        created_at: 0,
        updated_at: 0,
      },
    },
    body: '',
  }))
}

interface Round {
  readonly round: number
  readonly token: string
}

async function playRound(
  { serviceUrl, store }: StoredSandbox,
  { round, token }: Round,
): Promise<string | undefined> {
  const type = notifiedTypes[round % notifiedTypes.length] ?? 'items'
  const enabledIds = () =>
    store
      .registrations('webhooks')
      .flatMap((one) => (one.object_type === type && one.enabled ? [one.id] : []))
  let most = 0
  const unsubscribe = store.subscribe(() => (most = Math.max(most, enabledIds().length)))
  const patch = (id: string, enabled: boolean) =>
    rawCall(serviceUrl, {
      method: 'PATCH',
      path: `/webhooks/${id}`,
      headers: [`Authorization: Bearer ${token}`, 'Content-Type: application/json'],
      body: JSON.stringify({ enabled }),
    })

  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) =>
      patch(idOf(type, index), true).then(({ status }) => ({ id: idOf(type, index), status })),
    ),
  )
  unsubscribe()
  const winners = answers.flatMap(({ id, status }) => (status === 200 ? [id] : []))
  const losers = answers.filter(({ status }) => status === 409).length
  const enabled = enabledIds()
  for (const id of enabled) await patch(id, false)
  const isRight =
    winners.length === 1 && losers === AT_ONCE - 1 && most === 1 && enabled.join() === winners.join()
  if (isRight) return undefined
  return `${type}: ${winners.length} won, ${losers} were told of a conflict, up to ${most} were enabled`
}
