import type { StandbyProcess } from '../../support/standby-process.ts'

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

/** The time limit of a call. Only a frozen process takes longer. */
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

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

export interface Answer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- only the caller knows the type
  readonly body: any
}

export async function call(
  { benchUrl }: StandbyProcess,
  { controlToken }: Pick<WorldKey, 'controlToken'>,
  { method, path, body }: Call,
): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${benchUrl}/control${path}`, {
      method,
      headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  } catch {
    return undefined
  }
}
