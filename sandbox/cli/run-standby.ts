import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { claim, openDataFolder, readProcessId, writeRun, type DataFolder } from '../adapters/data-folder.ts'
import { isLoopback } from '../client/control-address.ts'
import { serveStandby } from '../compose/serve-standby.ts'
import { VERSION } from '../engine/core/version.ts'
import { printWarning } from './failure.ts'
import { prepareFolder, toServeOptions, type RunOutput } from './run-sandbox.ts'
import { untilStopped } from './stop-signals.ts'
import type { StoreOptions } from './store-option.ts'
import { printError, printJson } from './up-lines.ts'
import type { UpOptions } from './up-options.ts'

/** Serves the sandbox of a PostgreSQL database, or waits as a standby, until it is stopped. */
export async function runStandby(options: UpOptions, store: StoreOptions, output: RunOutput): Promise<void> {
  const stopping = new AbortController()
  void untilStopped().then(() => stopping.abort())
  // If the reader of the output has gone, deliveries continue.
  process.stdout.on('error', () => {})
  const folder = openDataFolder(options.data)
  const release = claim(folder)
  try {
    const benchToken = await prepareFolder(folder, options)
    const served = await serveStandby(toServeOptions(folder, options, { ...output, benchToken }), {
      ...store,
      path: join(dirname(folder.storePath), 'standby.sqlite'),
      member: (benchUrl) => toMember(folder, benchUrl, store),
      onError: (error) => printError('the copy of the store', error),
      onRole(lost) {
        if (lost) printWarning(lost.message)
        print(lost ? 'standby' : 'ready')
      },
    })
    const { serviceUrl: service_url, benchUrl: bench_url, publicUrls } = served
    const print = (event: 'standby' | 'ready') => {
      if (output.json) printJson({ event, service_url, bench_url, data: folder.path })
      else console.log(event === 'ready' ? 'Serves the sandbox' : 'Waits for the lease, as a standby')
    }
    writeRun(folder, { service_url, bench_url })
    if (!output.json)
      console.log(`Hookbench ${VERSION}: service ${publicUrls.service}, bench ${publicUrls.bench}`)
    print('standby')
    try {
      await served.run(stopping.signal)
    } finally {
      await served.close()
    }
    if (output.json) printJson({ event: 'stopped' })
    else console.log('\nStopped')
  } finally {
    release()
  }
}

function toMember(folder: DataFolder, benchUrl: string, { advertise }: StoreOptions) {
  const url = new URL(benchUrl)
  if (advertise !== undefined) url.host = advertise
  return {
    owner: readProcessId(folder),
    name: `${hostname()}:${url.port}`,
    machine: hostname(),
    address: url.host,
    isLoopback: isLoopback(url.href),
  }
}
