import type { TestSandbox } from './test-sandbox.ts'

/** Lets what was set off by a test itself, such as moved real time, take its course. */
export async function atRest(sandbox: TestSandbox): Promise<void> {
  await sandbox.control('GET', '/clock')
  await sandbox.idle()
}

/** Lets what is under way go on, without any time. */
export async function aWhile({ control }: TestSandbox): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await control('GET', '/clock')
}

/** Moves real time on until the promise is settled; what it resolves to. */
export async function movingOn<Result>(sandbox: TestSandbox, promise: Promise<Result>): Promise<Result> {
  const ended = { yet: false }
  const watched = promise.finally(() => (ended.yet = true))
  while (!ended.yet) {
    await aWhile(sandbox)
    sandbox.realTime.move(50)
  }
  return watched
}

/** The bodies that the receiver got, in their order, the test POSTs aside. */
export function bodiesSent({ transport }: Pick<TestSandbox, 'transport'>): readonly string[] {
  return transport.messages
    .map(({ body }) => Buffer.from(body).toString())
    .filter((body) => !body.startsWith('{"message":'))
}

/** The ids of the objects that the receiver heard of, in their order. */
export function idsSent(sandbox: Pick<TestSandbox, 'transport'>): readonly string[] {
  return bodiesSent(sandbox).map((body) => /"id":"([^"]+)"/.exec(body)?.[1] ?? '')
}

/** Makes so many items; gives their ids. */
export async function makeItems(sandbox: TestSandbox, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++)
    ids.push((await sandbox.control('POST', '/objects/items', {})).body.id)
  return ids
}
