import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openShell } from '../../contracts/probes/processes.ts'
import { killProcess } from '../support/ci-job.ts'
import { freePorts } from '../support/free-ports.ts'

const MAIN = new URL('../receivers/receiver-main.ts', import.meta.url).pathname
const TOKEN = '3f9c1d2ab47e80513f9c1d2ab47e8051'

/** A careful or defective receiver program. A check run can start and stop this program. */
export interface JobReceiver {
  readonly config: {
    readonly receiver: { readonly url: string; readonly callsBack: true }
    readonly effects: { readonly http: string }
    readonly process: { readonly start: string; readonly stop: string }
  }
  start(): Promise<void>
  kill(): void
}

interface JobReceiverOptions {
  readonly defect?: string
  readonly cert: string
}

/** Prepares a receiver with free ports. `folder` contains the receiver's files, and `cert` contains its certificate. */
export async function prepareJobReceiver(
  folder: string,
  { defect = '', cert }: JobReceiverOptions,
): Promise<JobReceiver> {
  mkdirSync(folder, { recursive: true })
  const [port, effectsPort] = await freePorts(2)
  const flags = {
    cert: join(cert, 'localhost.crt.pem'),
    key: join(cert, 'localhost.key.pem'),
    data: join(folder, 'data'),
    token: TOKEN,
    port: String(port),
    'effects-port': String(effectsPort),
    ...(defect !== '' && { defect }),
  }
  const words = Object.entries(flags).map(([name, value]) => `--${name} '${value}'`)
  const pid = join(folder, 'pid')
  const start = `'${process.execPath}' '${MAIN}' ${words.join(' ')} > '${join(folder, 'log')}' 2>&1 & echo $! > '${pid}'`
  const shell = openShell()
  return {
    config: {
      receiver: { url: `https://localhost:${port}/notifications/{object_type}/${TOKEN}`, callsBack: true },
      effects: { http: `http://127.0.0.1:${effectsPort}/effects/{object_type}/{id}` },
      process: { start, stop: `kill -9 $(cat '${pid}')` },
    },
    async start() {
      const ready = `until grep -q ready '${join(folder, 'log')}'; do sleep 0.05; done`
      await shell.run(`${start}; ${ready}`, { name: 'start' })
    },
    kill: () => killProcess(pid),
  }
}
