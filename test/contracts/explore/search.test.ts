import { expect, test } from 'vitest'
import { createBounds, createSearch, type CaseSearch } from '../../../contracts/explore/search.ts'
import type { ExploredCase } from '../../../contracts/explored-case.ts'
import { selectBranches } from '../../../contracts/toolkit/branches.ts'
import type { CheckContext, ContextFork } from '../../../contracts/toolkit/check-context.ts'
import { careful } from '../support/careful.ts'
import { objectOf } from '../support/defects.ts'
import { openContext } from '../support/check-context.ts'
import type { Desk, Incoming, Receive } from '../support/scripted-receiver.ts'

const { branches } = selectBranches(await openContext({ receive: careful }), 'all')

/** Returns a context whose clock advances at each read. Closing a fork ends the faults that were added in the fork. */
function withForks(context: CheckContext, more: Partial<CheckContext> = {}): CheckContext {
  let now = 0
  const going: CheckContext = { ...context, ...more, elapsed: () => (now += 10), fork: () => forkOf(going) }
  return going
}

function forkOf(context: CheckContext): ContextFork {
  const open = new Set<() => Promise<void>>()
  const service: CheckContext['service'] = {
    ...context.service,
    async disturb(object, fault) {
      const added = await context.service.disturb(object, fault)
      const stop = async () => void (open.delete(stop) && (await added.stop()))
      open.add(stop)
      return { stop }
    },
  }
  return {
    context: { ...context, service },
    adopt: () => {},
    async close() {
      for (const stop of open) await stop()
    },
  }
}

function searchFor(context: CheckContext): CaseSearch {
  return createSearch(context, { branches, forMs: 1_000, onSuspect: () => {}, bounds: createBounds(context) })
}

const PAYIN = { kind: 'npp-payin', outcome: 'successful' } as const
const PAYIN_CASE: ExploredCase = { people: [], payments: [PAYIN], deliveries: [{ of: 0, part: 0 }] }

test('createSearch() keeps the Show response of an object until the search is closed', async () => {
  const waiting: (() => unknown)[] = []
  const ids = new Set<string>()
  const receive: Receive = (request, desk) => {
    ids.add(String(objectOf(request)['id']))
    waiting.push(() => careful(request, desk))
    return { status: 200 }
  }
  const work = async () => void (await Promise.all(waiting.splice(0).map((take) => take())))
  const context = withForks(await openContext({ receive }), { rest: work })
  const search = searchFor(context)
  const payment = { kind: 'realtime-payout', outcome: 'cancelled', capitals: true } as const

  await search.play('case', { people: [], payments: [payment], deliveries: [{ of: 0, part: 1 }] })
  await search.conclude()
  await search.lookAgain()
  await search.close()

  const calls = await Promise.all([...ids].map((id) => context.calls.about({ type: 'disbursements', id })))
  expect(calls.flat().map(({ status }) => status)).toEqual([200])
})

/** Opens a context whose receiver loses its effects on restart. */
async function forgetful(receive: Receive): Promise<CheckContext> {
  const desks = new Set<Desk>()
  const context = await openContext({
    receive(request, desk) {
      desks.add(desk)
      return receive(request, desk)
    },
  })
  const process: CheckContext['process'] = {
    ...context.process,
    async start() {
      for (const { ledger } of desks) ledger.clear()
      await context.process.start()
    },
  }
  return withForks(context, { process })
}

const RESTARTED: ExploredCase = {
  people: [],
  payments: [PAYIN, PAYIN],
  deliveries: [
    { of: 0, part: 0 },
    { of: 1, part: 0, restart: true },
  ],
}

test('createSearch() reports no missing effect when the effects page restarts its counter', async () => {
  const search = searchFor(await forgetful(careful))

  await search.play('before', PAYIN_CASE)
  await search.play('restarted', RESTARTED)
  await search.conclude()
  await search.lookAgain()

  expect(search.failure()).toBeUndefined()
})

test('createSearch() detects a missing effect when earlier effects exist', async () => {
  let isOver = false
  const loses: Receive = (request, desk) => (isOver ? { status: 200 } : careful(request, desk))
  const search = searchFor(withForks(await openContext({ receive: loses })))

  await search.play('before', PAYIN_CASE)
  isOver = true
  await search.play('restarted', RESTARTED)
  await search.conclude()

  expect(search.failure()?.difference.symptom).toBe('missing-effect')
})

const refusing =
  (isRefused: (request: Incoming) => boolean): Receive =>
  (request, desk) =>
    isRefused(request) ? { status: 500 } : careful(request, desk)

const rejectsFirst = (count: number) => () => count-- > 0

test.each([
  ['ignores a single rejected delivery', rejectsFirst(4), undefined],
  ['reports repeatedly rejected deliveries', ({ type }: Incoming) => type === 'transactions', 'answer'],
])('createSearch() %s', async (_, isRefused, symptom) => {
  const search = searchFor(withForks(await openContext({ receive: refusing(isRefused) })))

  await search.play('case', PAYIN_CASE)
  await search.conclude()

  expect([search.failure()?.difference.symptom, search.isOpen()]).toEqual([symptom, symptom === undefined])
})
