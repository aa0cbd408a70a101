import { createSandbox } from '../../../sandbox/index.ts'
import { median } from '../slices.ts'
import { answerAsks } from './answer-asks.ts'

/** Sandboxes as tests have them. */
type InProcessAsk = { readonly do: 'create' } | { readonly do: 'look-up'; readonly objects: number }

async function timeCreate(): Promise<number> {
  const startedAt = performance.now()
  const sandbox = await createSandbox()
  const answer = await sandbox.fetch(new Request(`${sandbox.origin}/items`))
  await answer.body?.cancel()
  const took = performance.now() - startedAt
  await sandbox.close()
  return took
}

/** Milliseconds of one, after others. */
async function create(): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 60; round++) times.push(await timeCreate())
  return median(times.slice(30))
}

/** Microseconds of one look-up by id among so many users. */
async function lookUp(objects: number): Promise<number> {
  const sandbox = await createSandbox()
  const { users } = sandbox.data
  const ids: string[] = []
  for (let index = 0; index < objects; index++)
    ids.push((await users.create({ first_name: `Ada ${index}` })).id)
  const times: number[] = []
  for (let round = 0; round < 2_000; round++) {
    const wanted = ids[(round * 7_919) % ids.length] ?? ''
    const startedAt = performance.now()
    const found = users.findFirst((query) => query.where({ id: wanted }))
    times.push(performance.now() - startedAt)
    if (found?.id !== wanted) throw new Error(`Cannot measure: user ${wanted} was not found`)
  }
  await sandbox.close()
  return median(times.slice(500)) * 1_000
}

answerAsks(async (ask: InProcessAsk) => ({
  took: ask.do === 'create' ? await create() : await lookUp(ask.objects),
}))
