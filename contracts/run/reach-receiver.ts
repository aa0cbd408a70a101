import type { Exchange } from '../finding.ts'
import { isReached } from '../toolkit/expectations.ts'
import { createCheckContext, type Shared } from './create-check-context.ts'
import { testBody } from './messages.ts'
import { UsageError } from '../../sandbox/internal.ts'

interface Reached {
  /** Why the receiver cannot be reached; null if it can. */
  readonly unreached: string | null
  /** Ends it, if the run has started it. */
  readonly stop: () => Promise<void>
}

const STOP_NOTHING = () => Promise.resolve()

/**
 * One test POST: a receiver that is down, hangs or is not trusted would only be waited for again and again. Where nothing
 * listens, it is started, if the configuration says how: then it is told where this run's service is. Throws RangeError, and UsageError for one
 * that runs and cannot know the world of this run.
 */
export async function reachReceiver(shared: Shared): Promise<Reached> {
  const { context, close } = createCheckContext('preflight', shared)
  try {
    const [type] = shared.urls.types()
    if (type === undefined) return { unreached: 'the configuration has no URL of it', stop: STOP_NOTHING }
    const post = () =>
      context.post({ url: shared.urls.url(type), body: testBody(context), label: 'the test POST' })
    const sent = await post()
    refuseUntold(sent, shared)
    if (sent.reason !== 'connect_refused' || !context.process.observable) {
      return { unreached: findObstacle(sent, shared), stop: STOP_NOTHING }
    }
    await context.process.start()
    return {
      unreached: findObstacle(await post(), shared),
      // What the run has found is not lost because it cannot be stopped.
      stop: () => context.process.stop().catch(() => {}),
    }
  } finally {
    await close()
  }
}

/** A receiver that runs already would ask another world than that of this run. */
function refuseUntold({ reason }: Exchange, { options: { service } }: Shared): void {
  if (service.kind === 'own' || service.ownWorld?.isToBeTold !== true || reason === 'connect_refused') return
  throw new UsageError(
    'Cannot check in a new world: your receiver runs already, and was not told the credentials of that world. Stop it, so that "process.start" starts it, or give the credentials that it has, such as --client-id and --client-secret',
  )
}

function findObstacle(sent: Exchange, { mask }: Pick<Shared, 'mask'>): string | null {
  const hangs = sent.reason === 'header_timeout' || sent.reason === 'send_timeout'
  return isReached(sent) && !hangs ? null : mask(sent.message)
}
