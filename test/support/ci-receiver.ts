import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openShell } from '../../contracts/probes/processes.ts'
import { freePorts } from './free-ports.ts'

const MAIN = new URL('../../contracts/reference-receiver/main.ts', import.meta.url).pathname
const TOKEN = '3f9c1d2ab47e80513f9c1d2ab47e8051'

/** The receiver of a job: a run starts it by its configuration, and tells it where to ask back, and with what. */
export interface JobReceiver {
  readonly config: {
    readonly receiver: { readonly url: string; readonly callsBack: true }
    readonly effects: { readonly http: string }
    readonly process: { readonly start: string; readonly stop: string }
  }
  /** Starts it without telling it anything. */
  start(): Promise<void>
  /** Ends it, if it runs. */
  kill(): void
}

interface JobReceiverOptions {
  /** What it does wrong; nothing if it is empty. */
  readonly defect: string
  /** The folder with its certificate. */
  readonly cert: string
}

/** Its files are in `folder`. */
export async function startJobReceiver(
  folder: string,
  { defect, cert }: JobReceiverOptions,
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
    kill() {
      if (!existsSync(pid)) return
      try {
        process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL')
      } catch (error) {
        if (Reflect.get(Object(error), 'code') !== 'ESRCH') throw error
      }
    },
  }
}
