import { createSeededRandom } from '../../../sandbox/engine/core/random.ts'
import { onRequest, openTlsServer, type ScriptedServer, type Serve } from '../../support/scripted-server.ts'
import type { TestCertificate } from '../../support/certificates.ts'
import type { FaultRow } from '../receiver-faults/row.ts'
import { ROWS } from '../receiver-faults/rows.ts'
import type { Stage } from '../receiver-faults/stage.ts'

/** One connection in so many hangs until the deadline: more, and the places of its registration would never suffice. */
const ONE_HANGS_IN = 20

export interface FaultyReceiver extends ScriptedServer {
  /** From now on it is faulty; before, it takes what comes. */
  begin(): void
}

const TAKEN = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** A receiver that does something else of the list of faults on each connection; `onPost` gets each whole request. */
export async function openFaultyReceiver(
  { cert, key }: TestCertificate,
  onPost: (text: string) => void,
): Promise<FaultyReceiver> {
  const random = createSeededRandom(14)
  const [hanging, quick] = [collectServes(true), collectServes(false)]
  const draw = (serves: readonly Serve[]) => serves[Math.floor(random() * serves.length)]
  let isFaulty = false
  const server = await openTlsServer({ cert, key }, (socket, reset) => {
    if (!isFaulty) return onRequest(() => socket.end(TAKEN))(socket, reset)
    onRequest((_, { text }) => onPost(text))(socket, reset)
    draw(random() * ONE_HANGS_IN < 1 ? hanging : quick)?.(socket, reset)
  })
  return { ...server, begin: () => void (isFaulty = true) }
}

/** What the rows of HTTP do on a connection, as far as they do no more than serve. */
function collectServes(atDeadline: boolean): readonly Serve[] {
  // R02 opens connections of its own.
  const rows = ROWS.filter(
    ({ id, atDeadline: hangs = false }) => id.startsWith('R') && id !== 'R02' && hangs === atDeadline,
  )
  const serves = rows.flatMap((row) => serveOf(row) ?? [])
  if (serves.length === 0)
    throw new Error('No row of the list of faults can be served: the receiver would have none')
  return serves
}

function serveOf({ open }: FaultRow): Serve | undefined {
  let found: Serve | undefined
  const stage = {
    serve(serve: Serve) {
      found = serve
      return { url: '' }
    },
  }
  async function ask(): Promise<unknown> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row that asks for more fails, and is left out
    return open(stage as unknown as Stage)
  }
  ask().catch(() => {})
  return found
}
