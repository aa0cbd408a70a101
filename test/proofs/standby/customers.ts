import { callControl, type Answer, type StandbyProcess } from '../../support/standby-process.ts'

export interface WorldKey {
  readonly name: string
  readonly controlToken: string
}

export interface Customer {
  readonly world: WorldKey
  readonly acknowledged: readonly string[]
  /** Responses other than success and 503. */
  readonly surprises: readonly string[]
  served(count: number): Promise<void>
  end(): Promise<void>
}

/** The time limit of a call. Only a frozen process exceeds this limit. */
const PATIENCE_MS = 2_000

export function openCustomer(world: WorldKey, processes: readonly StandbyProcess[]): Customer {
  const acknowledged: string[] = []
  const surprises: string[] = []
  const waiting = new Set<() => void>()
  let isEnded = false
  let turn = 0

  async function change(): Promise<void> {
    const up = processes.filter(({ isUp }) => isUp)
    const process = up[turn++ % up.length]
    const answer =
      process && (await call(process, world, { method: 'POST', path: '/objects/items', body: {} }))
    if (answer?.status === 201) acknowledged.push(answer.body.id)
    else if (answer && answer.status !== 503)
      surprises.push(`${world.name}: ${answer.status} ${JSON.stringify(answer.body)}`)
    for (const look of waiting) look()
    if (answer?.status !== 201) await new Promise((resolve) => setTimeout(resolve, 30))
  }

  async function changeOn(): Promise<void> {
    await change()
    if (!isEnded) await changeOn()
  }

  const changing = changeOn()
  return {
    world,
    acknowledged,
    surprises,
    served(count) {
      const goal = acknowledged.length + count
      return new Promise((resolve) => {
        const look = () => {
          if (acknowledged.length < goal) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
      })
    },
    async end() {
      isEnded = true
      await changing
    },
  }
}

type Call = Readonly<Record<'method' | 'path', string>> & { readonly body?: unknown }

/** Returns undefined if the process did not answer. */
export function call(
  process: StandbyProcess,
  { controlToken: token }: Pick<WorldKey, 'controlToken'>,
  made: Call,
): Promise<Answer | undefined> {
  return callControl(process, { ...made, token, patienceMs: PATIENCE_MS }).catch(() => undefined)
}
