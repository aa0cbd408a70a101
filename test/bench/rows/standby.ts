import { join } from 'node:path'
import { openCertificateAuthority } from '../../../sandbox/adapters/certificate-authority.ts'
import { createCandidate } from '../../../sandbox/adapters/standby/candidate.ts'
import { createHost } from '../../../sandbox/compose/serve-sandbox.ts'
import { defaultSettings } from '../../../sandbox/engine/core/settings.ts'
import { startPostgres } from '../../support/postgres.ts'
import { startReceiver } from '../receiver.ts'
import { ratioFigure, type Figure, type MeasureOptions, type Row } from '../row.ts'
import { openSandbox, registerUrl, sendFor } from '../sandbox.ts'
import { compareSides } from '../slices.ts'

const IN_FLIGHT = 64

async function compareStores({ folder }: MeasureOptions): Promise<Figure> {
  const receiver = await startReceiver(folder)
  const server = await startPostgres({ fsync: true, settings: {} })
  const store = `standby-${process.pid}.sqlite`
  const candidate = await createCandidate({
    url: server.url(),
    leaseMs: 5_000,
    path: join(folder, store),
    member: { owner: 'bench', name: 'bench', address: 'bench', isLoopback: true },
    waiting: {},
    onError: console.error,
  })
  const held = await candidate.take(new AbortController().signal)
  if (!held) throw new Error('Cannot measure: there is no lease')
  const ca = await openCertificateAuthority(join(folder, 'ca'))
  const host = await createHost(
    {
      caFolder: '',
      port: 0,
      benchPort: 0,
      allowTargets: [],
      settings: defaultSettings,
      onError: console.error,
    },
    ca,
  )
  const concurrency = IN_FLIGHT
  const [shipped, plain] = [
    await openSandbox({ folder, store, concurrency }, { ...host, openDisk: held.openDisk }),
    await openSandbox({ folder, store: `plain-${process.pid}.sqlite`, concurrency }),
  ]
  try {
    const url = `${receiver.origin}/notifications/items`
    for (const sandbox of [shipped, plain]) await registerUrl(sandbox, { url, object_type: 'items' })
    const side = (sandbox: typeof plain) => (forMs: number) =>
      sendFor(sandbox, { forMs, parallel: IN_FLIGHT })
    return ratioFigure(await compareSides({ ours: side(shipped), bare: side(plain) }))
  } finally {
    await shipped.close()
    await plain.close()
    await held.release()
    await candidate.close()
    await receiver.end()
    await server.remove()
  }
}

export const STANDBY: Row = {
  id: 'standby',
  what: 'the rate of deliveries with a standby on PostgreSQL 15 on the same machine, compared with a store in a file, with 64 requests in flight',
  unit: '',
  better: 'more',
  bar: 0.7,
  instead: 'several nodes on PostgreSQL, which reach 0.6',
  measure: compareStores,
}
