import type { Entry } from '../../sandbox/engine/state/entries.ts'
import { createMemoryLog, StorageError, type Log } from '../../sandbox/engine/state/log.ts'

/** A log that keeps entries elsewhere, as a test lets it. */
interface RemoteLog {
  readonly log: Log
  /** What is kept elsewhere. */
  readonly kept: readonly Entry[]
  /** What waits for an answer: how many entries, or that others are to take the place of all. */
  readonly waiting: readonly (number | 'others')[]
  /** Carries out the first of what waits, and answers. */
  answer(): Promise<void>
  /** It is away from now on, as what waits finds out; whether that was carried out shows when it is back. */
  goAway(options?: { readonly isCarriedOut?: boolean }): Promise<void>
  comeBack(): Promise<void>
}

interface Waiting {
  readonly what: number | 'others'
  carryOut(): void
  readonly answered: PromiseWithResolvers<void>
}

export function createRemoteLog(): RemoteLog {
  let [kept, tail]: [Entry[], Entry[]] = [[], []]
  let regained: Entry[] = []
  let waiting: Waiting[] = []
  let problem: StorageError | undefined
  let listener: (problem: StorageError | undefined) => void = () => {}
  const all = () => [...kept, ...tail]
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

  function wait(what: Waiting['what'], carryOut: () => void): Promise<void> {
    const answered = Promise.withResolvers<void>()
    waiting.push({ what, carryOut, answered })
    return answered.promise
  }

  const view = () => {
    const memory = createMemoryLog()
    memory.append(all())
    return memory
  }

  const log: Log = {
    ...createMemoryLog(),
    isRemote: true,
    onProblem(next) {
      listener = next
    },
    get length() {
      return all().length
    },
    append(entries) {
      if (problem) throw problem
      tail.push(...entries)
    },
    async sync() {
      if (problem) throw problem
      const sent = [...tail]
      if (sent.length === 0) return
      await wait(sent.length, () => kept.push(...sent))
      tail = tail.slice(sent.length)
    },
    recover() {
      if (problem) throw problem
      kept.push(...regained)
      regained = []
    },
    stage() {
      const staged: Entry[] = []
      return {
        add: (entries) => void staged.push(...entries),
        commit: () => wait('others', () => {}),
        publish() {
          ;[kept, tail] = [staged, []]
        },
        discard() {},
      }
    },
    read: (position) => view().read(position),
    heads: (after) => view().heads(after),
  }

  return {
    log,
    get kept() {
      return kept
    },
    get waiting() {
      return waiting.map(({ what }) => what)
    },
    async answer() {
      const [first, ...others] = waiting
      waiting = others
      first?.carryOut()
      first?.answered.resolve()
      await turn()
    },
    async goAway({ isCarriedOut = false } = {}) {
      problem = new StorageError('away', 'Cannot reach the log')
      const before = kept.length
      if (isCarriedOut) for (const { carryOut } of waiting) carryOut()
      regained = kept.splice(before)
      tail = []
      for (const { answered } of waiting) answered.reject(problem)
      waiting = []
      listener(problem)
      await turn()
    },
    async comeBack() {
      problem = undefined
      listener(undefined)
      await turn()
    },
  }
}
