import { Command } from 'commander'
import type { ControlAddress } from '../client/control-address.ts'
import { createControlClient } from '../client/control-client.ts'
import type { Perform } from '../compose/perform.ts'
import { realTime } from '../adapters/real-time.ts'
import { RefusedError } from '../client/requests.ts'
import { UnreachableError } from '../client/unreachable.ts'
import type {
  CraftedDelivery,
  Health,
  JobSummary,
  ReadingList,
  RegistrationRecord,
} from '../../spec/generated/control-types.ts'
import { formatRemedy, type CommandTarget } from '../engine/core/command-line.ts'
import { findAddress, print, withSandboxOptions, type SandboxFlags } from './sandbox-flags.ts'
import {
  clockFinding,
  faultFinding,
  jobFindings,
  receiverFindings,
  sandboxFinding,
} from './doctor-sandbox.ts'
import { localFindings } from './doctor-local.ts'
import { registrationFindings } from './doctor-registrations.ts'
import { EXIT } from './failure.ts'
import { findingsText, problem, type Finding } from './finding.ts'
import { withManual } from './manual.ts'

export function doctorCommand(): Command {
  const command = withManual(new Command('doctor'), {
    about: [
      'The command examines the data folder, the sandbox and its token, the jobs, the faults and the clock. The command also sends a test POST to each enabled registration. Each finding is marked as fine (✓), as a warning (!) or as a problem (✗), and warnings and problems include a fix.',
      'With --store, the command only checks the store, which contains all worlds. First stop the sandbox that uses the store.',
    ],
    examples: [
      ['doctor', 'find out why your receiver gets nothing'],
      ['doctor --store', 'check the store for damage'],
      ['doctor --json', 'print the findings as JSON, for a script'],
    ],
    exitCodes: {
      0: 'no problem',
      1: 'a problem',
      2: 'incorrect usage',
      4: 'with --store: the store is damaged',
    },
    seeAlso: ['registrations', 'jobs', 'faults'],
  }).description('find out why nothing arrives, and how to fix it')
  command.option('--store', 'read the complete store and list its damage, without the other checks')
  return withSandboxOptions(command).action(async (flags: SandboxFlags & { readonly store?: boolean }) => {
    const { data } = flags
    if (flags.store) {
      const { storeFindings } = await import('./doctor-store.ts')
      const found = storeFindings(data)
      print({ findings: found }, findingsText(found), flags)
      if (found.some(({ level }) => level === 'problem')) process.exitCode = EXIT.damaged
      return
    }
    const findings = [...localFindings(data, realTime.now()), ...(await runFindings(flags))]
    print({ findings }, findingsText(findings), flags)
    if (findings.some(({ level }) => level === 'problem')) process.exitCode = EXIT.failed
  })
}

export async function diagnoseSandbox(address: ControlAddress, folder: string): Promise<Finding[]> {
  const target = { data: folder, world: address.world }
  const findings = await benchFindings(createControlClient(address), address.url, target)
  return [...localFindings(folder, realTime.now()), ...findings]
}

async function runFindings(flags: SandboxFlags): Promise<Finding[]> {
  try {
    const address = findAddress(flags)
    return await benchFindings(createControlClient(address), address.url, flags)
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    return [failureFinding('sandbox', error, flags)]
  }
}

/** Examines a running sandbox. If the sandbox rejects a request, returns the rejection as a finding. */
export async function benchFindings(
  perform: Perform,
  url: string,
  target: CommandTarget,
): Promise<Finding[]> {
  const health = await readHealth(perform)
  const refused = await accessFindings(perform, target)
  if (refused.length > 0 || !health)
    return [...(health ? [sandboxFinding(health, url, target)] : []), ...refused]
  const parts = await Promise.all([
    findPart('registrations', target, () => receptionFindings(perform, target)),
    findPart('jobs', target, () => workFindings(perform, target)),
    findPart('faults', target, async () => [faultFinding(await perform('listFaults'), target)]),
  ])
  return [sandboxFinding(health, url, target), ...parts.flat()]
}

async function readHealth(perform: Perform): Promise<Health | undefined> {
  try {
    return await perform('getHealth')
  } catch (error) {
    if (isRefused(error, 'unauthorized', ...WORLD_CODES)) return undefined
    throw error
  }
}

const WORLD_CODES = ['unknown_world', 'other_world']

const isRefused = (error: unknown, ...codes: readonly string[]): error is RefusedError =>
  error instanceof RefusedError && error.code !== undefined && codes.includes(error.code)

/** Reports a wrong token or world once, because all other requests would also fail. */
async function accessFindings(perform: Perform, target: CommandTarget): Promise<Finding[]> {
  try {
    await perform('getClock')
    return []
  } catch (error) {
    if (isRefused(error, ...WORLD_CODES)) return [failureFinding('world', error, target)]
    if (!isRefused(error, 'unauthorized')) return []
    const remedy =
      'name the data folder with --data, or set HOOKBENCH_URL and HOOKBENCH_TOKEN to the values that "up" prints'
    return [problem('token', 'The sandbox rejects the token', remedy)]
  }
}

async function workFindings(perform: Perform, target: CommandTarget): Promise<Finding[]> {
  const ofStatus = (status: JobSummary['status']) => perform('listJobs', { query: { status, limit: 200 } })
  const [clock, failed, pending] = await Promise.all([
    perform('getClock'),
    ofStatus('failed'),
    ofStatus('pending'),
  ])
  return [clockFinding(clock, [...failed.jobs, ...pending.jobs], target), ...jobFindings(failed, target)]
}

async function receptionFindings(perform: Perform, target: CommandTarget): Promise<Finding[]> {
  const [{ registrations }, { readings }] = await Promise.all([
    perform('listRegistrations'),
    perform('listReadings'),
  ])
  const judgedBy = {
    callbackList: readingValue('callback-list', readings) === 'earlier' ? 'earlier' : 'current',
    environment: readingValue('environment', readings) === 'production' ? 'production' : 'pre-live',
  } as const
  const message = readingValue('test-text', readings) ?? ''
  const receivers = await findPart('receiver', target, async () => {
    const tested = registrationsByUrl(registrations).map(async ([registration, types]) => {
      return { types, delivery: await postTest(perform, registration, message) }
    })
    return receiverFindings(await Promise.all(tested), target)
  })
  return [...registrationFindings(registrations, judgedBy, target), ...receivers]
}

/** Sends a test POST. A test POST for a webhook is signed if the sandbox has a secret. Reading: signature */
async function postTest(
  perform: Perform,
  { id: registration, generation }: RegistrationRecord,
  message: string,
): Promise<CraftedDelivery> {
  const request = { registration, body: { message } }
  const signed = generation === 'webhooks'
  try {
    return await perform('craftDelivery', { body: { ...request, ...(signed && { signed }) } })
  } catch (error) {
    if (!(error instanceof RefusedError) || error.field !== 'signed') throw error
    return perform('craftDelivery', { body: request })
  }
}

/** Groups enabled registrations by URL. Prefers a webhook for each URL, because only webhooks are signed. */
function registrationsByUrl(
  registrations: readonly RegistrationRecord[],
): readonly (readonly [RegistrationRecord, types: readonly string[]])[] {
  const enabled = registrations.filter((each) => each.enabled)
  const inOrder = enabled.toSorted((a, b) => Number(isCallback(a)) - Number(isCallback(b)))
  return [...Map.groupBy(inOrder, ({ url }) => url).values()].flatMap((ofUrl) => {
    const [first] = ofUrl
    return first ? [[first, ofUrl.map(({ object_type }) => object_type)] as const] : []
  })
}

const isCallback = ({ generation }: RegistrationRecord) => generation === 'callbacks'

function readingValue(id: string, readings: ReadingList['readings']): string | null | undefined {
  return readings.find((reading) => reading.id === id)?.value
}

async function findPart(about: string, target: CommandTarget, find: () => Promise<Finding[]>) {
  try {
    return await find()
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return [failureFinding(about, error, target)]
  }
}

function failureFinding(about: string, error: RefusedError | UnreachableError, target: CommandTarget) {
  const { hint, command } = error
  const message = error instanceof UnreachableError ? error.problem : error.message
  const remedy = hint === undefined ? undefined : formatRemedy({ hint, command }, target)
  return problem(about, `${about}: ${message}`, remedy)
}
