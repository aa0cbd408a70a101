import type { JobSummary } from '../../../spec/generated/control-types.ts'

/** A change: its object and the start of its call. */
export interface Trigger {
  /** Its type and id. */
  readonly object: string
  readonly beganAt: number
}

/** Links changes and received notifications by a number. Each change writes its number into its object. */
export interface Ledger {
  /** Returns the number of the next change. */
  next(): number
  /** Records a change. */
  triggered(number: number, trigger: Trigger): void
  /** Records a complete POST. */
  received(receiver: string, text: string): void
  /** By number. Numbers of one object are in order. */
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
      // The test message of the registration, and earlier objects.
      if (number === undefined) return
      const times = receipts(receiver).get(Number(number)) ?? []
      times.push(performance.now())
      receipts(receiver).set(Number(number), times)
    },
    triggers,
    receipts,
  }
}

/** A receiver, its registration, and the registration's jobs. */
export interface Account {
  readonly receiver: string
  readonly objectType: string
  readonly isFaulty: boolean
  /** Oldest first. */
  readonly jobs: readonly JobSummary[]
}

const MOST_LINES = 20

/**
 * Compares the changes, the jobs and the received notifications by number. The jobs of an object must have the order of
 * its changes.
 */
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
    .slice(0, MOST_LINES)
    .map((problem) => `${receiver}: ${problem}`)
}

/** An attempt that was cut off after the request and before the first response byte is sent once more and flagged. */
const MOST_POSTS_OF_ATTEMPT = 2

function judge({ id, status, attempts }: JobSummary, posts: number, isFaulty: boolean): string | undefined {
  if (!isFaulty) {
    return status === 'success' && attempts === 1 && posts === 1
      ? undefined
      : `job ${id} is ${status} after ${attempts} attempts, and ${posts} POSTs came`
  }
  if (status === 'success' && posts === 0) return `job ${id} is delivered, and no POST came`
  if (attempts === 0) return `job ${id} was not attempted`
  return posts > attempts * MOST_POSTS_OF_ATTEMPT
    ? `${posts} POSTs came of the ${attempts} attempts of job ${id}`
    : undefined
}

/** The 99th percentile of milliseconds from the call to the receipt, at the named receivers. */
export function p99(ledger: Ledger, receivers: readonly string[]): number {
  const times = receivers.flatMap((receiver) =>
    [...ledger.receipts(receiver)].flatMap(([number, [first]]) => {
      const beganAt = ledger.triggers.get(number)?.beganAt
      return beganAt === undefined || first === undefined ? [] : [first - beganAt]
    }),
  )
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}
