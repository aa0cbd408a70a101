import { Command } from 'commander'
import { createBenchClient, findBench, type BenchClient } from '../client/bench-client.ts'
import { realTime } from '../adapters/real-time.ts'
import { RefusedError, UnreachableError } from '../client/requests.ts'
import type { ReadingList, RegistrationRecord } from '../../spec/generated/control-types.ts'
import { print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { clockFinding, faultFinding, jobFindings, receiverFinding, sandboxFinding } from './doctor-bench.ts'
import { localFindings } from './doctor-local.ts'
import { registrationFindings } from './doctor-registrations.ts'
import { EXIT } from './failure.ts'
import { findingsText, problem, type Finding } from './finding.ts'

export function doctorCommand(): Command {
  const command = new Command('doctor').description(
    'find out why nothing is received, and what to do about it',
  )
  command.addHelpText(
    'after',
    `
Each finding is fine (✓), worth a look (!) or a problem (✗); with a problem the exit code is 1.
Every enabled registration gets a test POST.`,
  )
  return withBenchOptions(command).action(async (flags: BenchFlags) => {
    const { data } = flags
    const findings = [...localFindings(data, realTime.now()), ...(await runFindings(data))]
    print({ findings }, findingsText(findings), flags)
    if (findings.some(({ level }) => level === 'problem')) process.exitCode = EXIT.failed
  })
}

async function runFindings(data: string): Promise<Finding[]> {
  try {
    const address = findBench(data, process.env)
    return await benchFindings(createBenchClient(address), address.url)
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    return [problemOf('sandbox', error)]
  }
}

/** What a running sandbox says about itself. A part that it refuses is a finding, and the others are still looked at. */
export async function benchFindings(bench: BenchClient, url: string): Promise<Finding[]> {
  const health = await bench.health()
  const refused = await tokenFindings(bench)
  if (refused.length > 0) return [sandboxFinding(health, url), ...refused]
  const parts = await Promise.all([
    part('registrations', () => receptionFindings(bench)),
    part('jobs', () => workFindings(bench)),
    part('faults', async () => [faultFinding(await bench.faults())]),
  ])
  return [sandboxFinding(health, url), ...parts.flat()]
}

/** Without the right token nothing else can be looked at: that is told once. */
async function tokenFindings(bench: BenchClient): Promise<Finding[]> {
  try {
    await bench.clock()
    return []
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== 'unauthorized') return []
    const remedy =
      'name the data folder of that sandbox with --data, or set HOOKBENCH_TOKEN to the token that its "up" prints'
    return [problem('token', 'The sandbox does not take the token', remedy)]
  }
}

async function workFindings(bench: BenchClient): Promise<Finding[]> {
  const ofStatus = (status: string) => bench.jobs({ status, limit: '200' })
  const [clock, failed, pending] = await Promise.all([bench.clock(), ofStatus('failed'), ofStatus('pending')])
  return [clockFinding(clock, [...failed.jobs, ...pending.jobs]), ...jobFindings(failed)]
}

async function receptionFindings(bench: BenchClient): Promise<Finding[]> {
  const [{ registrations }, { readings }] = await Promise.all([bench.registrations(), bench.readings()])
  const list = valueOf('callback-list', readings) === 'earlier' ? 'earlier' : 'current'
  const message = valueOf('test-text', readings) ?? ''
  const receivers = await Promise.all(
    urlsOf(registrations).map((url) =>
      part('receiver', async () => [receiverFinding(await bench.deliver({ url, body: { message } }))]),
    ),
  )
  return [...registrationFindings(registrations, list), ...receivers.flat()]
}

/** Each URL once, however many types it is registered for. */
function urlsOf(registrations: readonly RegistrationRecord[]): string[] {
  return [...new Set(registrations.filter(({ enabled }) => enabled).map(({ url }) => url))]
}

function valueOf(id: string, readings: ReadingList['readings']): string | null | undefined {
  return readings.find((reading) => reading.id === id)?.value
}

async function part(about: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return [problemOf(about, error)]
  }
}

/** What could not be looked at. The message of a refusal ends with its remedy, if it does not have one as a hint. */
function problemOf(about: string, error: RefusedError | UnreachableError): Finding {
  const [state = '', ...remedies] = error.message.split('; ')
  const hint = error instanceof RefusedError ? error.hint : undefined
  return problem(
    about,
    `${about}: ${state}`,
    hint ?? (remedies.join('; ') || 'see the output of "npx hookbench up"'),
  )
}
