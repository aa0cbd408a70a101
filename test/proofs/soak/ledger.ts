import type { JobSummary } from '../../../spec/generated/control-types.ts'

export interface Trigger {
  readonly object: string
  readonly beganAt: number
}

/** Links each change with its notifications, by a number in the object. */
export interface Ledger {
  next(): number
  triggered(number: number, trigger: Trigger): void
  received(receiver: string, text: string): void
  readonly triggers: ReadonlyMap<number, Trigger>
  receipts(receiver: string): ReadonlyMap<number, readonly number[]>
}

const NUMBER = /Soak (\d+)/

export const writeNumber = (number: number) => `Soak ${number}`

export function createLedger(): Ledger {
  const triggers = new Map<number, Trigger>()
  const receiptsByReceiver = new Map<string, Map<number, number[]>>()
  let count = 0

  function receipts(receiver: string): Map<number, number[]> {
    const known = receiptsByReceiver.get(receiver) ?? new Map<number, number[]>()
    receiptsByReceiver.set(receiver, known)
    return known
  }

  return {
    next: () => ++count,
    triggered: (number, trigger) => void triggers.set(number, trigger),
    received(receiver, text) {
      const [, number] = NUMBER.exec(text) ?? []
      // Test POSTs and earlier objects contain no number.
      if (number === undefined) return
      const times = receipts(receiver).get(Number(number)) ?? []
      times.push(performance.now())
      receipts(receiver).set(Number(number), times)
    },
    triggers,
    receipts,
  }
}

export interface Account {
  readonly receiver: string
  readonly objectType: string
  readonly isFaulty: boolean
  readonly jobs: readonly JobSummary[]
}

const MAX_LINES = 20

/** Compares changes, jobs and received notifications by number and order. */
export function compare(
  ledger: Ledger,
  { receiver, objectType, isFaulty, jobs }: Account,
): readonly string[] {
  const receipts = ledger.receipts(receiver)
  const changes = [...ledger.triggers].filter(([, { object }]) => object.startsWith(`${objectType}/`))
  const numbers = new Set(changes.map(([number]) => number))
  const jobsByObject = Map.groupBy(jobs, ({ object_type, object_id }) => `${object_type}/${object_id}`)
  const changesByObject = Map.groupBy(changes, ([, { object }]) => object)
  const problems = [...changesByObject].flatMap(([object, made]) => {
    const found = jobsByObject.get(object) ?? []
    if (found.length !== made.length) return [`${object} has ${found.length} jobs of ${made.length} changes`]
    return made.flatMap(([number], index) => {
      const [job, posts] = [found[index], receipts.get(number)?.length ?? 0]
      const problem = job && judge(job, posts, isFaulty)
      return problem === undefined ? [] : [`change ${number} of ${object}: ${problem}`]
    })
  })
  const strays = [...receipts.keys()].filter((number) => !numbers.has(number))
  return [...problems, ...strays.map((number) => `change ${number} came, and was not made`)]
    .slice(0, MAX_LINES)
    .map((problem) => `${receiver}: ${problem}`)
}

/** An attempt is sent once more if its connection ends before the first response byte. */
const MAX_POSTS_OF_ATTEMPT = 2

function judge({ id, status, attempts }: JobSummary, posts: number, isFaulty: boolean): string | undefined {
  if (!isFaulty) {
    return status === 'success' && attempts === 1 && posts === 1
      ? undefined
      : `job ${id} is ${status} after ${attempts} attempts, and ${posts} POSTs came`
  }
  if (status === 'success' && posts === 0) return `job ${id} is delivered, and no POST came`
  if (attempts === 0) return `job ${id} was not attempted`
  return posts > attempts * MAX_POSTS_OF_ATTEMPT
    ? `${posts} POSTs came of the ${attempts} attempts of job ${id}`
    : undefined
}

/** Returns the 99th percentile of the delay between a change and its notification, in milliseconds. */
export function p99(ledger: Ledger, receivers: readonly string[]): number {
  const times = receivers.flatMap((receiver) =>
    [...ledger.receipts(receiver)].flatMap(([number, [first]]) => {
      const beganAt = ledger.triggers.get(number)?.beganAt
      return beganAt === undefined || first === undefined ? [] : [first - beganAt]
    }),
  )
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}
