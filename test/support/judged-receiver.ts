import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GenerationUrl } from '../../spec/generated/config-types.ts'
import { sendingAddresses } from '../../spec/delivery.ts'
import { readingValues } from '../../spec/readings.ts'
import {
  openCertificateAuthority,
  type CertificateAuthority,
} from '../../sandbox/adapters/certificate-authority.ts'
import { openDataFolder } from '../../sandbox/adapters/data-folder.ts'
import { defaultSettings } from '../../sandbox/engine/core/settings.ts'
import type { RunOptions } from '../../contracts/toolkit/options.ts'
import type { Processor } from '../../contracts/reference-receiver/starter/receiver.mjs'
import type { ReceiverOptions } from '../receivers/receiver.ts'
import { runChecks } from '../../contracts/run/run-checks.ts'
import type { RunResult } from '../../contracts/run/run-result.ts'
import type { Defect } from '../receivers/defects/defect.ts'
import { freePort } from './free-ports.ts'
import type { ReceiverCheck } from '../../contracts/toolkit/check-context.ts'
import { hoursFromNow, selfSigned, testAuthority } from './certificates.ts'

interface Presented {
  readonly cert: string
  readonly key: string
  readonly ca: string | undefined
}

const LATER = hoursFromNow(2_000)

async function certificateWith(
  fault: Defect['certificate'],
  authority: CertificateAuthority,
): Promise<Presented> {
  if (fault === undefined) {
    const { certificatePem: cert, privateKeyPem: key } = await authority.issue(['localhost'])
    return { cert, key, ca: undefined }
  }
  if (fault === 'self-signed') return { ...(await selfSigned({ notAfter: LATER })), ca: undefined }
  const root = await testAuthority()
  switch (fault) {
    case 'untrusted':
      return { ...(await root.issue({ notAfter: LATER, chain: [root.pem] })), ca: undefined }
    case 'for-another-name':
      return {
        ...(await root.issue({ hosts: ['receiver.test'], notAfter: LATER, chain: [root.pem] })),
        ca: root.pem,
      }
    case 'expires-soon':
      return { ...(await root.issue({ notAfter: hoursFromNow(72), chain: [root.pem] })), ca: root.pem }
    case 'without-intermediate':
      return { ...(await (await root.intermediate()).issue({ notAfter: LATER })), ca: root.pem }
    default:
      return fault satisfies never
  }
}

export interface Platform {
  readonly webhooks: GenerationUrl
  readonly callbacks: GenerationUrl
  readonly effects: string
  /** Set if the receiver runs in this process. Direct reads are faster than requests. */
  readonly core?: Pick<Processor, 'readEffects'>
  /** The hooks that stop and start the receiver. Undefined if the receiver runs in this process. */
  readonly process?: RunOptions['process']
  readonly reconcile?: string
  close(): Promise<void>
}

export interface Judged {
  readonly checks: readonly ReceiverCheck[]
  readonly start: (options: ReceiverOptions, folder: string) => Promise<Platform>
  readonly certificate?: Defect['certificate']
  readonly secret?: string | undefined
  readonly settings?: Partial<
    Pick<
      RunOptions,
      'settleMs' | 'windowMs' | 'exploreMs' | 'budgetMs' | 'warnMs' | 'consequences' | 'readings' | 'seed'
    > &
      Pick<RunOptions['receiver'], 'source'>
  >
}

export async function judged({ checks, start, certificate, secret, settings }: Judged): Promise<RunResult> {
  const data = mkdtempSync(join(tmpdir(), 'hookbench-judged-'))
  const authority = await openCertificateAuthority(openDataFolder(data).caFolder)
  const { cert, key, ca } = await certificateWith(certificate, authority)
  const servicePort = await freePort()
  const service = {
    url: `http://127.0.0.1:${servicePort}`,
    clientId: 'sandbox',
    clientSecret: 'sandbox-secret',
    // The check itself ends the wait for a hanging receiver.
    timeoutMs: 10_000,
  }
  const platform = await start(
    {
      cert,
      key,
      port: 0,
      effectsPort: 0,
      token: '3f9c1d2ab47e80513f9c1d2ab47e8051',
      store: ':memory:',
      allowed: ALLOWED,
      secrets: secret === undefined ? undefined : [secret],
      service,
      onError: (error) => console.error(error),
    },
    join(data, 'receiver'),
  )
  try {
    const options = optionsOf(platform, { data, ca, servicePort, secret, settings })
    return await runChecks(options, { checks })
  } finally {
    await platform.close()
    rmSync(data, { recursive: true, force: true })
  }
}

const loopback = (generation: 'webhooks' | 'callbacks') =>
  sendingAddresses(generation, readingValues()).map((address) => address.replace(/^\d+/, '127'))

/** Loopback forms of the documented source addresses. Checks must send only from these addresses. */
export const ALLOWED = { webhooks: loopback('webhooks'), callbacks: loopback('callbacks') }

/** On a busy machine, even a fast receiver can be slow. */
const PATIENT = { 'delivery-deadline': '60s' }

interface Around {
  readonly data: string
  readonly ca: string | undefined
  readonly servicePort: number
  readonly secret: string | undefined
  readonly settings: Judged['settings']
}

function optionsOf(
  { webhooks, callbacks, effects, process, reconcile, core }: Platform,
  { data, ca, servicePort, secret, settings = {} }: Around,
): RunOptions {
  const { source, readings, ...others } = settings
  return {
    receiver: {
      urls: { webhooks, callbacks },
      ca,
      headers: {},
      callsBack: true,
      source: Object.hasOwn(settings, 'source') ? source : { kind: 'loopback' },
    },
    service: {
      kind: 'own',
      port: servicePort,
      data,
      allowTargets: [],
      credentials: defaultSettings.credentials,
    },
    effects: core
      ? { kind: 'function', read: (type, id) => Promise.resolve(core.readEffects(type, id)) }
      : { kind: 'http', url: effects },
    process,
    reconcile: reconcile === undefined ? undefined : { kind: 'http', url: reconcile },
    budgetMs: 2_500,
    warnMs: 2_000,
    settleMs: 5_000,
    windowMs: 200,
    exploreMs: 0,
    readings: { ...PATIENT, ...readings },
    vocabulary: {},
    secret,
    consequences: {},
    knownFailures: [],
    seed: 1,
    salt: '',
    ...others,
  }
}
