import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { type Ledger, writeNumber } from './ledger.ts'
import type { SoakedSandbox } from './sandbox.ts'
import { createSeededRandom } from '../../../sandbox/engine/core/random.ts'
import {
  onRequest,
  openTlsServer,
  type ScriptedServer,
  type Serve,
  serveHttp,
} from '../../support/scripted-server.ts'
import type { TestCertificate } from '../../support/certificates.ts'
import type { FaultRow } from '../receiver-faults/row.ts'
import { ROWS } from '../receiver-faults/rows.ts'
import type { Stage } from '../receiver-faults/stage.ts'

export const RECEIVERS = [
  { name: 'items', generation: 'webhooks', objectType: 'items', isFaulty: false },
  { name: 'users', generation: 'webhooks', objectType: 'users', isFaulty: false },
  { name: 'items-callbacks', generation: 'callbacks', objectType: 'items', isFaulty: false },
  { name: 'users-callbacks', generation: 'callbacks', objectType: 'users', isFaulty: false },
  { name: 'companies', generation: 'webhooks', objectType: 'companies', isFaulty: true },
] as const

export async function openReceivers(
  { certificate, perform }: Pick<SoakedSandbox, 'certificate' | 'perform'>,
  ledger: Ledger,
): Promise<() => void> {
  async function take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    // A truncated request does not count as received.
    const body = await readText(incoming).catch(() => undefined)
    if (body === undefined) return
    ledger.received((incoming.url ?? '').slice(1), body)
    outgoing.writeHead(204).end()
  }
  const healthy = await serveHttp((incoming, outgoing) => void take(incoming, outgoing), certificate)
  const faulty = await openFaultyReceiver(certificate, (body) => ledger.received('companies', body))
  for (const { name, generation, objectType, isFaulty } of RECEIVERS) {
    const url = `https://localhost:${isFaulty ? faulty.port : healthy.port}/${name}`
    await perform('addRegistration', { body: { generation, object_type: objectType, url } })
  }
  faulty.begin()
  return () => {
    void healthy.close()
    faulty.close()
  }
}

/** One in this number of connections hangs. Each hanging connection occupies one of the few connections of its registration. */
const ONE_HANGS_IN = 20

export interface FaultyReceiver extends ScriptedServer {
  begin(): void
}

const TAKEN = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** Opens a receiver that applies a random fault to each connection after the call of `begin`. */
async function openFaultyReceiver(
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

function collectServes(atDeadline: boolean): readonly Serve[] {
  // The fault R02 opens its own connections, so this proof excludes R02.
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
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row that needs other stage members fails and is excluded
    return open(stage as unknown as Stage)
  }
  ask().catch(() => {})
  return found
}

const FIELDS = { items: 'name', users: 'first_name', companies: 'name' } as const

const TYPES = ['items', 'users', 'companies'] as const

const OBJECTS_OF_TYPE = 100

export interface ChangedObject {
  readonly name: string
  isBusy: boolean
  change(number: number): Promise<void>
}

export async function createObjects({
  perform,
}: Pick<SoakedSandbox, 'perform'>): Promise<readonly ChangedObject[]> {
  const objects: ChangedObject[] = []
  for (let count = 0; count < OBJECTS_OF_TYPE; count++)
    for (const type of TYPES) {
      const { id } = await perform('createObject', { path: { type }, body: {} })
      objects.push({
        name: `${type}/${id}`,
        isBusy: false,
        async change(number) {
          await perform('changeObject', { path: { type, id }, body: { [FIELDS[type]]: writeNumber(number) } })
        },
      })
    }
  return objects
}

export interface LoadOptions {
  readonly ledger: Ledger
  readonly count: number
  /** Changes per second, regardless of how long a change takes. */
  readonly rate: number
}

const TICK_MS = 5

/** Changes the objects in turn. Throws if a change is rejected. */
export async function makeChanges(
  objects: readonly ChangedObject[],
  { ledger, count, rate }: LoadOptions,
): Promise<void> {
  const startedAt = performance.now()
  const changes = new Set<Promise<void>>()
  const failures: unknown[] = []
  let turn = 0

  async function change(object: ChangedObject): Promise<void> {
    object.isBusy = true
    const number = ledger.next()
    const beganAt = performance.now()
    await object.change(number)
    ledger.triggered(number, { object: object.name, beganAt })
    object.isBusy = false
  }

  for (let made = 0; made < count && failures.length === 0; await setTimeout(TICK_MS)) {
    const due = Math.min(count, Math.floor(((performance.now() - startedAt) * rate) / 1_000))
    for (let tries = 0; made < due && tries < objects.length; tries++) {
      const object = objects[turn++ % objects.length]
      if (!object || object.isBusy) continue
      made++
      const ended = change(object)
        .catch((error: unknown) => failures.push(error))
        .then(() => void changes.delete(ended))
      changes.add(ended)
    }
  }
  await Promise.all(changes)
  if (failures.length > 0) throw failures[0]
}
