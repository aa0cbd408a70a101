import { Command } from 'commander'
import { findControlAddress, type ControlAddress } from '../client/control-address.ts'
import { createControlClient } from '../client/control-client.ts'
import type { Perform } from '../compose/perform.ts'
import { realTime } from '../adapters/real-time.ts'
import { RefusedError } from '../client/requests.ts'
import { UnreachableError } from '../client/unreachable.ts'
import type {
  Health,
  JobSummary,
  ReadingList,
  RegistrationRecord,
} from '../../spec/generated/control-types.ts'
import { formatRemedy } from '../engine/core/command-line.ts'
import { print, withSandboxOptions, type SandboxFlags } from './sandbox-flags.ts'
import { clockFinding, faultFinding, jobFindings, receiverFinding, sandboxFinding } from './doctor-sandbox.ts'
import { localFindings } from './doctor-local.ts'
import { registrationFindings } from './doctor-registrations.ts'
import { EXIT } from './failure.ts'
import { findingsText, problem, type Finding } from './finding.ts'

interface DoctorFlags extends SandboxFlags {
  readonly store?: boolean
}

export function doctorCommand(): Command {
  const command = new Command('doctor').description(
    'find out why nothing is received, and what to do about it',
  )
  command.option('--store', 'read all that the store holds instead, and say what is damaged')
  return withSandboxOptions(command).action(async (flags: DoctorFlags) => {
    const { data } = flags
    if (flags.store) {
      const { storeFindings } = await import('./doctor-store.ts')
      const found = storeFindings(data)
      print({ findings: found }, findingsText(found), flags)
      if (found.some(({ level }) => level === 'problem')) process.exitCode = EXIT.damaged
      return
    }
    const findings = [...localFindings(data, realTime.now()), ...(await runFindings(data))]
    print({ findings }, findingsText(findings), flags)
    if (findings.some(({ level }) => level === 'problem')) process.exitCode = EXIT.failed
  })
}

/** Everything that `doctor` finds out about the sandbox at this address, and about its data folder. */
export async function diagnose(address: ControlAddress, folder: string): Promise<Finding[]> {
  const findings = await benchFindings(createControlClient(address), address.url, folder)
  return [...localFindings(folder, realTime.now()), ...findings]
}

async function runFindings(data: string): Promise<Finding[]> {
  try {
    const address = findControlAddress(data, process.env)
    return await benchFindings(createControlClient(address), address.url, data)
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    return [failureFinding('sandbox', error, data)]
  }
}

/** What a running sandbox says about itself. A part that it refuses is a finding, and the others are still looked at. */
export async function benchFindings(perform: Perform, url: string, folder: string): Promise<Finding[]> {
  const health = await readHealth(perform)
  const refused = await tokenFindings(perform)
  if (refused.length > 0 || !health)
    return [...(health ? [sandboxFinding(health, url, folder)] : []), ...refused]
  const parts = await Promise.all([
    findPart('registrations', folder, () => receptionFindings(perform, folder)),
    findPart('jobs', folder, () => workFindings(perform, folder)),
    findPart('faults', folder, async () => [faultFinding(await perform('listFaults'), folder)]),
  ])
  return [sandboxFinding(health, url, folder), ...parts.flat()]
}

/** Undefined where not even that is told without the right token. */
async function readHealth(perform: Perform): Promise<Health | undefined> {
  try {
    return await perform('getHealth')
  } catch (error) {
    if (isUnauthorized(error)) return undefined
    throw error
  }
}

const isUnauthorized = (error: unknown) => error instanceof RefusedError && error.code === 'unauthorized'

/** Without the right token nothing else can be looked at: that is said once. */
async function tokenFindings(perform: Perform): Promise<Finding[]> {
  try {
    await perform('getClock')
    return []
  } catch (error) {
    if (!isUnauthorized(error)) return []
    const remedy =
      'name the data folder of that sandbox with --data, or set HOOKBENCH_URL, and HOOKBENCH_TOKEN to the token that its "up" prints'
    return [problem('token', 'The sandbox does not take the token', remedy)]
  }
}

async function workFindings(perform: Perform, folder: string): Promise<Finding[]> {
  const ofStatus = (status: JobSummary['status']) => perform('listJobs', { query: { status, limit: 200 } })
  const [clock, failed, pending] = await Promise.all([
    perform('getClock'),
    ofStatus('failed'),
    ofStatus('pending'),
  ])
  return [clockFinding(clock, [...failed.jobs, ...pending.jobs], folder), ...jobFindings(failed, folder)]
}

async function receptionFindings(perform: Perform, folder: string): Promise<Finding[]> {
  const [{ registrations }, { readings }] = await Promise.all([
    perform('listRegistrations'),
    perform('listReadings'),
  ])
  const judgedBy = {
    callbackList: readingValue('callback-list', readings) === 'earlier' ? 'earlier' : 'current',
    environment: readingValue('environment', readings) === 'production' ? 'production' : 'pre-live',
  } as const
  const message = readingValue('test-text', readings) ?? ''
  const receivers = await Promise.all(
    enabledUrls(registrations).map((url) =>
      findPart('receiver', folder, async () => [
        receiverFinding(await perform('craftDelivery', { body: { url, body: { message } } }), folder),
      ]),
    ),
  )
  return [...registrationFindings(registrations, judgedBy, folder), ...receivers.flat()]
}

/** Each URL once, however many types it is registered for. */
function enabledUrls(registrations: readonly RegistrationRecord[]): string[] {
  return [...new Set(registrations.filter(({ enabled }) => enabled).map(({ url }) => url))]
}

function readingValue(id: string, readings: ReadingList['readings']): string | null | undefined {
  return readings.find((reading) => reading.id === id)?.value
}

/** A part that the sandbox refuses is a finding of its own. */
async function findPart(about: string, folder: string, find: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await find()
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return [failureFinding(about, error, folder)]
  }
}

/** What could not be looked at, and what to do about it if that is known. */
function failureFinding(about: string, error: RefusedError | UnreachableError, folder: string): Finding {
  const { hint, command } = error
  const message = error instanceof UnreachableError ? error.problem : error.message
  const remedy = hint === undefined ? undefined : formatRemedy({ hint, command }, folder)
  return problem(about, `${about}: ${message}`, remedy)
}
