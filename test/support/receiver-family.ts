import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext, TestOptions } from 'vitest'
import { runChecks, type Config, type RunResult } from '../../contracts/index.ts'
import { openCertificateAuthority } from '../../sandbox/adapters/certificate-authority.ts'
import { openDataFolder } from '../../sandbox/adapters/data-folder.ts'
import { freePorts } from './free-ports.ts'
import { ALLOWED } from './judged-receiver.ts'
import { startCommand } from './receiver-program.ts'

/** A receiver program, written without knowledge of the checks. */
export interface FamilyMember {
  readonly name: string
  /** The required tool besides Node, as named in tools.ts. */
  readonly tool?: string
  readonly isWhole?: boolean
  /** The command that builds the receiver into the folder `{build}`. The field `command` also contains `{build}`. */
  readonly build?: readonly string[]
  readonly command: readonly string[]
  /** Environment variables for a receiver that accepts no flags. */
  readonly variables?: Readonly<Record<string, string>>
  readonly config: (origin: string, page: string) => Config
}

const TOKEN = '3f9c1d2ab47e80513f9c1d2ab47e8051'

const program = (file: string) => new URL(`../receivers/${file}`, import.meta.url).pathname

function forEveryType(origin: string): Config {
  return {
    receiver: {
      url: {
        webhooks: `${origin}/notifications/{object_type}/${TOKEN}`,
        callbacks: `${origin}/callbacks/{object_type}/${TOKEN}`,
      },
      callsBack: true,
    },
  }
}

const POLLING_WORKER: FamilyMember = {
  name: 'polling-worker',
  command: [process.execPath, program('polling-worker.ts')],
  config: forEveryType,
}

const QUEUE_AND_ACK: FamilyMember = {
  name: 'queue-and-ack',
  command: [process.execPath, program('queue-and-ack.ts')],
  config: forEveryType,
}

const INLINE_PYTHON: FamilyMember = {
  name: 'inline-python',
  tool: 'python3',
  command: ['python3', program('inline.py')],
  config: forEveryType,
}

const SECRET = 'what-only-it-and-the-service-know'

export const SIGNED_EXPRESS: FamilyMember = {
  name: 'signed-express',
  command: [process.execPath, program('signed-express.ts'), '--secret', SECRET],
  config: (origin) => ({
    ...forEveryType(origin),
    signatureSecret: SECRET,
  }),
}

function journalIn(tool: string, parts: Pick<FamilyMember, 'name' | 'build' | 'command'>): FamilyMember {
  const { webhooks, callbacks } = ALLOWED
  const senders = ['--allow-webhooks', webhooks.join(','), '--allow-callbacks', callbacks.join(',')]
  return {
    ...parts,
    tool,
    isWhole: true,
    command: [...parts.command, '--secret', SECRET, ...senders],
    config: (origin, page) => ({
      ...forEveryType(origin),
      signatureSecret: SECRET,
      sourceAddresses: 'loopback',
      reconcile: { http: `${page}/reconcile` },
    }),
  }
}

const JOURNAL_GO = journalIn('golang-go', {
  name: 'journal-go',
  build: ['go', 'build', '-o', '{build}/journal', program('journal.go')],
  command: ['{build}/journal'],
})

const JOURNAL_JAVA = journalIn('default-jdk-headless', {
  name: 'journal-java',
  build: ['javac', '-encoding', 'UTF-8', '-d', '{build}', program('Journal.java')],
  // These flags limit compilation at run time, because the process is soon killed.
  command: ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', '{build}', 'Journal'],
})

const STARTER: FamilyMember = {
  name: 'starter',
  command: [
    'env',
    `RECEIVER_SECRETS=${SECRET}`,
    process.execPath,
    new URL('../../contracts/reference-receiver/starter/main.mjs', import.meta.url).pathname,
  ],
  variables: {
    port: 'RECEIVER_PORT',
    'effects-port': 'RECEIVER_PAGE_PORT',
    cert: 'RECEIVER_CERT',
    key: 'RECEIVER_KEY',
    data: 'RECEIVER_STORE',
    service: 'HOOKBENCH_SERVICE_URL',
    token: 'RECEIVER_TOKEN',
  },
  config: (origin) => ({ ...forEveryType(origin), signatureSecret: SECRET }),
}

const paid = { object_type: 'items', state: 'payment_deposited' } as const

export const ITEMS_SHOP: FamilyMember = {
  name: 'items-shop',
  command: [process.execPath, program('items-shop.ts')],
  config: (origin) => ({
    receiver: { url: { items: `${origin}/hooks/orders/${TOKEN}` }, callsBack: true },
    consequences: { 'card-payin': paid, 'direct-debit-payin': paid, 'wallet-to-item-transfer': paid },
  }),
}

const form = process.env['HOOKBENCH_RECEIVERS']
/** True if all checks run on every receiver. */
export const IS_WHOLE = form === 'whole'
/** True if the tests that start many receivers are enabled. They take minutes. */
export const RUNS_FAMILY = form === 'own' || IS_WHOLE

export function longTestOf({ tool }: FamilyMember): TestOptions {
  return { timeout: 900_000, tags: tool === undefined ? [] : [tool] }
}

export function skipInShort({ skip }: TestContext): void {
  skip(!RUNS_FAMILY, 'it takes minutes: npm run test:receivers')
}

export const FAMILY: readonly FamilyMember[] = [
  POLLING_WORKER,
  ITEMS_SHOP,
  QUEUE_AND_ACK,
  INLINE_PYTHON,
  JOURNAL_GO,
  JOURNAL_JAVA,
  SIGNED_EXPRESS,
  STARTER,
]

/** Long time limits, because a fast receiver can be slow on a busy machine. */
const PATIENT = { 'delivery-deadline': '60s' }
const SETTLE_MS = 30_000

export function starterAt(path: string, more: Partial<Config>): FamilyMember {
  const { command, config } = STARTER
  return {
    ...STARTER,
    command: [...command.slice(0, -1), path],
    config: (origin, page) => ({ ...config(origin, page), ...more }),
  }
}

export interface Wishes {
  /** The defect of the receiver. Defaults to none. */
  readonly hole?: string | undefined
  /** Check ids or topics. Defaults to all checks. */
  readonly checks?: readonly string[] | undefined
}

export async function runFamilyMember(member: FamilyMember, wishes: Wishes = {}): Promise<RunResult> {
  const { hole, checks = [] } = wishes
  const root = mkdtempSync(join(tmpdir(), `hookbench-${member.name}-`))
  const [data, folder] = [join(root, 'sandbox'), join(root, 'receiver')]
  mkdirSync(folder)
  const [port, effectsPort, servicePort = 0] = await freePorts(3)
  const { certFile, keyFile } = await writeCertificate(data, folder)
  const flags = {
    port,
    'effects-port': effectsPort,
    cert: certFile,
    key: keyFile,
    data: join(folder, 'data'),
    service: `http://127.0.0.1:${servicePort}`,
    token: TOKEN,
    hole,
  }
  const { process: commands, close } = await startCommand(buildMember(member, flags, folder), folder)
  try {
    const page = `http://127.0.0.1:${effectsPort}`
    return await runChecks({
      ...member.config(`https://localhost:${port}`, page),
      checks,
      data,
      port: servicePort,
      effects: { http: `${page}/effects/{object_type}/{id}` },
      process: commands,
      readings: PATIENT,
      // Some defects lose effects. A long `settleMs` would delay the test for each lost effect.
      ...(hole === undefined && { settleMs: SETTLE_MS }),
    })
  } finally {
    await close()
    rmSync(root, { recursive: true, force: true })
  }
}

function buildMember({ build, ...member }: FamilyMember, flags: object, folder: string): readonly string[] {
  const inFolder = (part: string) => part.replace('{build}', folder)
  const [compiler, ...args] = build ?? []
  if (compiler !== undefined) execFileSync(compiler, args.map(inFolder))
  return commandLine(member, flags).map(inFolder)
}

function commandLine({ command, variables }: FamilyMember, flags: object): readonly string[] {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined)
  if (!variables) return [...command, ...given.flatMap(([flag, value]) => [`--${flag}`, String(value)])]
  const [env = '', ...rest] = command
  return [env, ...given.map(([flag, value]) => `${variables[flag] ?? flag}=${value}`), ...rest]
}

async function writeCertificate(data: string, folder: string) {
  const authority = await openCertificateAuthority(openDataFolder(data).caFolder)
  const { certificatePem, privateKeyPem } = await authority.issue(['localhost'])
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(certFile, certificatePem)
  writeFileSync(keyFile, privateKeyPem)
  return { certFile, keyFile }
}
