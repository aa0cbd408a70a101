import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { ReceiverOptions } from './receiver.ts'

export const USAGE = `node test/receivers/receiver-main.ts --cert FILE --key FILE --data DIR [options]

  --cert FILE, --key FILE      PEM of the certificate, with what is between it and its root, and of its key
  --data DIR                   where everything is kept
  --port N, --effects-port N   default 9443 and 9444
  --token TOKEN                the secret part of the address (default: a new one, which is kept)
  --service URL                default HOOKBENCH_SERVICE_URL, or http://127.0.0.1:4010
  --client-id, --client-secret default HOOKBENCH_CLIENT_ID and HOOKBENCH_CLIENT_SECRET, or sandbox and sandbox-secret
  --allow-webhooks A,B --allow-callbacks A,B   where deliveries may come from; anywhere if left out
  --source-header NAME         where a trusted proxy says that
  --secret SECRET              what webhooks are signed with; twice while it changes
  --defect NAME                what to do wrong on purpose`

/** Parses the options of a receiver program. Throws if an option is invalid. */
export function parseOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): {
  readonly options: ReceiverOptions
  readonly defect: string | undefined
} {
  const { values } = parseArgs({ args: [...args], options: FLAGS })
  const folder = requireFlag('data', values.data)
  mkdirSync(folder, { recursive: true })
  return {
    defect: values.defect,
    options: {
      cert: readFileSync(requireFlag('cert', values.cert), 'utf8'),
      key: readFileSync(requireFlag('key', values.key), 'utf8'),
      port: Number(values.port),
      effectsPort: Number(values['effects-port']),
      store: join(folder, 'receiver.sqlite'),
      token: values.token ?? readOrCreateToken(join(folder, 'token')),
      allowed: parseAllowed(values['allow-webhooks'], values['allow-callbacks']),
      sourceHeader: values['source-header'],
      secrets: values.secret,
      service: {
        url: values.service ?? environment['HOOKBENCH_SERVICE_URL'] ?? 'http://127.0.0.1:4010',
        clientId: values['client-id'] ?? environment['HOOKBENCH_CLIENT_ID'] ?? 'sandbox',
        clientSecret: values['client-secret'] ?? environment['HOOKBENCH_CLIENT_SECRET'] ?? 'sandbox-secret',
        timeoutMs: TIMEOUT_MS,
      },
      clock: startClock(environment['HOOKBENCH_NOW']),
      onError: (error) => console.error(error),
    },
  }
}

/**
 * The timeout of a call to the service in milliseconds. Even a busy service responds within this time. After a timeout, the
 * receiver soon tries again.
 */
const TIMEOUT_MS = 3_000

const text = { type: 'string' } as const
const FLAGS = {
  cert: text,
  key: text,
  data: text,
  port: { ...text, default: '9443' },
  'effects-port': { ...text, default: '9444' },
  token: text,
  service: text,
  'client-id': text,
  'client-secret': text,
  'allow-webhooks': text,
  'allow-callbacks': text,
  'source-header': text,
  secret: { ...text, multiple: true },
  defect: text,
} as const

/** Returns a clock that starts at the given time, which may be days ahead. */
function startClock(now: string | undefined): () => number {
  if (now === undefined) return Date.now
  const aheadMs = Date.parse(now) - Date.now()
  if (Number.isNaN(aheadMs))
    throw new Error(`Cannot start: HOOKBENCH_NOW is "${now}", which is not an instant`)
  return () => Date.now() + aheadMs
}

function requireFlag(flag: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`Cannot start: --${flag} is missing`)
  return value
}

/** Reads or creates the token in the receiver's URL. The token must not change, because the URL is registered with the service. */
function readOrCreateToken(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

function parseAllowed(
  webhooks: string | undefined,
  callbacks: string | undefined,
): ReceiverOptions['allowed'] {
  if (webhooks === undefined && callbacks === undefined) return undefined
  return { webhooks: webhooks?.split(',') ?? [], callbacks: callbacks?.split(',') ?? [] }
}
