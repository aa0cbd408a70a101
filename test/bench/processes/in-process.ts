import { createSandbox } from '../../../sandbox/index.ts'
import { median } from '../slices.ts'
import { answerAsks } from './answer-asks.ts'

async function timeCreate(): Promise<number> {
  const startedAt = performance.now()
  const sandbox = await createSandbox()
  const answer = await sandbox.fetch(new Request(`${sandbox.origin}/items`))
  await answer.body?.cancel()
  const took = performance.now() - startedAt
  await sandbox.close()
  return took
}

/** Returns the time to create one sandbox after a warm-up, in milliseconds. */
async function create(): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 60; round++) times.push(await timeCreate())
  return median(times.slice(30))
}

answerAsks(async () => ({ took: await create() }))
