import type { Assembled } from '../compose/assemble.ts'
import { advanceTarget } from '../api/control/clock.ts'
import { startPayment } from '../engine/payments/play.ts'
import type { LiveData } from './data.ts'
import { benchOver } from './bench-over.ts'
import { expectationsOf, type Inbox } from './deliveries.ts'
import type { Sandbox } from './sandbox.ts'

export interface Inside {
  readonly origin: string
  readonly live: LiveData
  readonly inbox: Inbox
  /** What went wrong inside, to be thrown at the next occasion. */
  readonly errors: unknown[]
  /** Registers the receivers of the options, as at the start. */
  readonly registerReceivers: () => Promise<void>
}

/** The sandbox as a test has it: each call resolves when what it set off has come to rest. */
export function sandboxOver(assembled: Assembled, inside: Inside): Sandbox {
  const { context, store, service } = assembled
  const { origin, live, inbox, errors, registerReceivers } = inside

  function throwInner(): void {
    const [cause] = errors.splice(0)
    if (cause !== undefined) throw new Error('The sandbox failed', { cause })
  }

  async function rest(): Promise<void> {
    await assembled.idle()
    await live.synced()
    throwInner()
  }

  let closed: Promise<void> | undefined
  const close = () => (closed ??= assembled.close())

  return {
    origin,
    async fetch(request) {
      const response = await service(request)
      await live.synced()
      return response
    },
    data: live.data,
    ...movesOf(assembled, rest),
    ...benchOver(assembled, { rest, registerReceivers }),
    ...expectationsOf(assembled, { inbox, settle: rest, throwInner }),
    jobs: () => store.jobs(),
    attempts: (job) => store.attempts(job),
    now: () => new Date(context.now()),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** What moves money and time. */
function movesOf(
  { context, store, commit, nextStep, advance }: Assembled,
  rest: () => Promise<void>,
): Pick<Sandbox, 'play' | 'next' | 'advance'> {
  return {
    async play(kind, options = {}) {
      const { payment, writes } = startPayment({ ...options, kind }, context)
      await commit(writes)
      await rest()
      return store.payment(payment.id) ?? payment
    },
    async next(payment) {
      const stepped = await nextStep(payment)
      await rest()
      return stepped
    },
    async advance(by) {
      await advance(advanceTarget(by instanceof Date ? { to: instantText(by) } : { by }, context.now()))
      await rest()
    },
  }
}

function instantText(date: Date): string {
  return Number.isNaN(date.getTime()) ? String(date) : date.toISOString()
}
