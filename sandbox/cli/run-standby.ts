import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { claim, openDataFolder, readProcessId, writeRun, type DataFolder } from '../adapters/data-folder.ts'
import { isLoopback } from '../client/control-address.ts'
import { serveStandby } from '../compose/serve-standby.ts'
import { VERSION } from '../engine/core/version.ts'
import { printWarning } from './failure.ts'
import { prepareFolder, toServeOptions, type RunOutput } from './run-sandbox.ts'
import { untilStopped } from './stop-signals.ts'
import { printError, printJson } from './up-lines.ts'
import type { StoreOptions, UpOptions } from './up-options.ts'

export async function runStandby(options: UpOptions, store: StoreOptions, output: RunOutput): Promise<void> {
  const stopping = new AbortController()
  void untilStopped().then(() => stopping.abort())
  // Ignores errors of standard output, so that deliveries continue after the output is closed.
  process.stdout.on('error', () => {})
  const folder = openDataFolder(options.data)
  const release = claim(folder)
  let addresses = { service_url: '', bench_url: '' }
  const print = (event: 'standby' | 'ready') => {
    if (output.json) printJson({ event, ...addresses, data: folder.path })
    else console.log(event === 'ready' ? 'Serves the sandbox' : 'Waits for the lease, as a standby')
  }
  try {
    const benchToken = await prepareFolder(folder, options)
    await serveStandby(toServeOptions(folder, options, { ...output, benchToken }), {
      ...store,
      path: join(dirname(folder.storePath), 'standby.sqlite'),
      signal: stopping.signal,
      member: (benchUrl) => toMember(folder, benchUrl, store),
      onError: (error) => printError('the store', error),
      onListening({ serviceUrl, benchUrl, publicUrls: { service, bench } }) {
        addresses = { service_url: serviceUrl, bench_url: benchUrl }
        writeRun(folder, addresses)
        if (!output.json) console.log(`Hookbench ${VERSION}: service ${service}, bench ${bench}`)
        print('standby')
      },
      onRole(lost) {
        if (lost) printWarning(lost.message)
        print(lost ? 'standby' : 'ready')
      },
    })
  } finally {
    release()
  }
}

function toMember(folder: DataFolder, benchUrl: string, { advertise }: StoreOptions) {
  const url = new URL(benchUrl)
  if (advertise !== undefined) url.host = advertise
  const { host: address, href } = url
  return { owner: readProcessId(folder), name: hostname(), address, isLoopback: isLoopback(href) }
}
