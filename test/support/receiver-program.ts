import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Receiver, type ReceiverOptions, startReceiver } from '../receivers/receiver.ts'
import { openShell } from '../../contracts/probes/processes.ts'
import { freePorts } from './free-ports.ts'
import type { Platform } from './judged-receiver.ts'
import { startWithDefect } from '../receivers/defects.ts'
import type { openWorkshop } from './program.ts'

const MAIN = new URL('../receivers/receiver-main.ts', import.meta.url).pathname

export interface Program extends Platform {
  readonly process: { readonly stop: string; readonly start: string }
}

/** Starts the receiver as a program. A restart uses the same ports and the same store. */
export async function startProgram(
  { cert, key, token, allowed, service, secrets }: ReceiverOptions,
  { folder, defect }: { readonly folder: string; readonly defect: string | undefined },
): Promise<Program> {
  mkdirSync(folder)
  const file = (name: string) => join(folder, name)
  writeFileSync(file('cert.pem'), cert)
  writeFileSync(file('key.pem'), key)
  const [port, effectsPort] = await freePorts(2)
  const flags = {
    cert: file('cert.pem'),
    key: file('key.pem'),
    data: file('data'),
    token,
    port,
    'effects-port': effectsPort,
    service: service.url,
    'allow-webhooks': allowed?.webhooks.join(','),
    'allow-callbacks': allowed?.callbacks.join(','),
    secret: secrets?.join(),
    defect,
  }
  const args = Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag}`, String(value)],
  )
  const { process: commands, close } = await startCommand([process.execPath, MAIN, ...args], folder)
  return {
    webhooks: `https://localhost:${port}/notifications/{object_type}/${token}`,
    callbacks: `https://localhost:${port}/callbacks/{object_type}/${token}`,
    effects: `http://127.0.0.1:${effectsPort}/effects/{object_type}/{id}`,
    reconcile: `http://127.0.0.1:${effectsPort}/reconcile`,
    process: commands,
    close,
  }
}

/** Starts a program that prints "ready". `stop` kills the program, and `close` ends it as a user would. */
export async function startCommand(
  parts: readonly string[],
  folder: string,
): Promise<Pick<Program, 'process' | 'close'>> {
  const file = (name: string) => join(folder, name)
  const log = file('log')
  const line = parts.map((part) => `'${part}'`).join(' ')
  const ready = `until grep -q ready '${log}'; do sleep 0.05; done`
  const start = `: > '${log}'; nohup ${line} > '${log}' 2>&1 & echo $! > '${file('pid')}'; ${ready}`
  const stop = `kill -9 $(cat '${file('pid')}')`
  // Sends a signal to the program, which a check may have stopped already.
  const signal = (option: string) => `kill ${option} $(cat '${file('pid')}') 2>/dev/null`
  const end = `${signal('-TERM')}; for _ in $(seq 40); do ${signal('-0')} || exit 0; sleep 0.05; done; ${signal('-9')}; true`
  const shell = openShell()
  await shell.run(start, { name: 'start' })
  return {
    process: { stop, start },
    async close() {
      await shell.run(end, { name: 'end' })
    },
  }
}

interface RegisteredOptions {
  readonly service: string
  readonly defect?: string | undefined
  readonly types?: readonly string[]
}

let count = 0

export async function registerReceiver(
  shop: Pick<ReturnType<typeof openWorkshop>, 'folder' | 'run' | 'certificate'>,
  { service, defect, types = ['transactions'] }: RegisteredOptions,
): Promise<Receiver> {
  const options = {
    ...(await shop.certificate()),
    port: 0,
    effectsPort: 0,
    store: join(shop.folder, `receiver-${++count}.sqlite`),
    token: '3f9c1d2ab47e8051',
    service: { url: service, clientId: 'sandbox', clientSecret: 'sandbox-secret', timeoutMs: 3_000 },
    onError: (error: unknown) => console.error(error),
  }
  const receiver = await (defect === undefined ? startReceiver(options) : startWithDefect(defect, options))
  for (const type of types) {
    const url = receiver.webhooks.replace('{object_type}', type)
    const { code, stderr } = await shop.run('register', url, '--type', type, '--replace')
    if (code !== 0) throw new Error(stderr)
  }
  return receiver
}
