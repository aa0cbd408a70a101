import { createInterface } from 'node:readline'
import { isError } from '../../spec/errors.ts'
import type { RunOrder, RunReply, RunRequest } from './run-in-node.ts'
import { createSharedRun, type SharedRun } from './shared-run.ts'

/** Runs checks for a test framework in another runtime. Reads one request per line until the input ends. */
async function main(): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const first = await lines.next()
  if (first.done === true) return
  const { config, repeat }: RunOrder = JSON.parse(first.value)
  const run = createSharedRun(config, (id) => repeat.replaceAll('{id}', id))
  try {
    for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
      const request: RunRequest = JSON.parse(line.value)
      void answer(run, request).then((reply) => process.stdout.write(`${JSON.stringify(reply)}\n`))
    }
  } finally {
    await run.close()
  }
}

async function answer(run: SharedRun, { number, act, id }: RunRequest): Promise<RunReply> {
  try {
    const reason = await (act === 'test' ? run.test(findCheck(run, id)) : run[act]())
    return { number, reason: reason ?? undefined }
  } catch (error) {
    const { name, message } = isError(error) ? error : new Error(String(error))
    return { number, error: { name, message } }
  }
}

function findCheck({ plan: { first, alone, last } }: SharedRun, id: string | undefined) {
  const check = [...first, ...alone, ...last].find((each) => each.id === id)
  if (!check) throw new RangeError(`Cannot run "${id}": this run has no check with this id`)
  return check
}

await main()
