import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { readdirSync, readFileSync } from 'node:fs'
import { openCertificateAuthority } from '../../../sandbox/adapters/certificate-authority.ts'
import { openDataFolder, readBenchToken } from '../../../sandbox/adapters/data-folder.ts'
import type { JobPage, JobSummary } from '../../../spec/generated/control-types.ts'
import type { TestCertificate } from '../../support/certificates.ts'

const PROGRAM = fileURLToPath(new URL('../../../bin/hookbench.js', import.meta.url))

export interface SoakedSandbox {
  readonly pid: number
  readonly certificate: TestCertificate
  /** Calls the control API. Throws if the status is not a success. */
  control<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  register(generation: 'webhooks' | 'callbacks', registration: Registration): Promise<void>
  jobs(): Promise<readonly JobSummary[]>
  end(): Promise<number | null>
}

interface Registration {
  readonly object_type: string
  readonly url: string
}

interface Ready {
  readonly bench_url: string
  readonly service_url: string
}

interface Call {
  readonly method: string
  readonly bearer: string
  readonly body: unknown
}

export async function startSandbox(folder: string): Promise<SoakedSandbox> {
  const data = join(folder, 'data')
  const args = ['up', '--json', '--port', '0', '--bench-port', '0', '--data', data]
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line]: string[] = await once(createInterface({ input: child.stdout }), 'line')
  process.once('exit', () => child.kill('SIGKILL'))
  // The output must be read, because a full pipe blocks the process.
  child.stdout.resume()
  const { bench_url, service_url } = JSON.parse(line ?? '') as Ready
  const authority = await openCertificateAuthority(openDataFolder(data).caFolder)
  const { certificatePem: cert, privateKeyPem: key } = await authority.issue(['localhost'])
  const token = readBenchToken({ path: data }) ?? ''
  const agent = new Agent({ keepAlive: true })

  async function call<Answer>(url: string, given: Call): Promise<Answer> {
    const { method, bearer, body } = given
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
    const sent = request(url, { method, headers, agent })
    // Errors before the response are handled below. An interrupted response has no other listener.
    sent.on('error', () => {})
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    try {
      const [response] = await once(sent, 'response')
      const answer = await text(response)
      if (response.statusCode >= 300) throw new Error(`${method} ${url}: ${response.statusCode} ${answer}`)
      return JSON.parse(answer) as Answer
    } catch (error) {
      // The server closed the idle connection. A repeated change has no further effect.
      if (sent.reusedSocket && Reflect.get(Object(error), 'code') === 'ECONNRESET') return call(url, given)
      throw error
    }
  }

  const control = <Answer>(method: string, path: string, body?: unknown) =>
    call<Answer>(`${bench_url}/control${path}`, { method, bearer: token, body })

  return {
    pid: child.pid ?? 0,
    certificate: { cert, key },
    control,
    async register(generation, registration) {
      const client = { client_id: 'sandbox', client_secret: 'sandbox-secret' }
      const body = { grant_type: 'client_credentials', ...client }
      const issued = await call<{ readonly access_token: string }>(`${service_url}/tokens`, {
        method: 'POST',
        bearer: '',
        body,
      })
      await call(`${service_url}/${generation}`, {
        method: 'POST',
        bearer: issued.access_token,
        body: registration,
      })
    },
    async jobs() {
      const all: JobSummary[] = []
      for (let cursor: string | null = '0'; cursor !== null;) {
        const page: JobPage = await control<JobPage>('GET', `/jobs?limit=200&cursor=${cursor}`)
        all.push(...page.jobs)
        cursor = page.next_cursor
      }
      return all
    },
    async end() {
      agent.destroy()
      if (child.exitCode !== null) return child.exitCode
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      return child.exitCode
    },
  }
}

interface Sample {
  readonly minutes: number
  readonly memoryMb: number
  readonly descriptors: number
}

export interface Resources {
  stop(changes: number): { readonly detail: string; readonly problems: readonly string[] }
}

/** The limit of the process's memory, without the memory of the tables. */
const MAX_MEMORY_MB = 400

/** The memory in bytes that a change may use for the index entries of objects, jobs and attempts. */
const MAX_BYTES_OF_CHANGE = 1_024

/** The maximum growth of the memory in MB per minute. Runs shorter than `SHORTEST_MINUTES` cannot reveal a leak. */
const MAX_MB_IN_A_MINUTE = 1

const SHORTEST_MINUTES = 10

/** The maximum number of descriptors: five registrations with 96 connections each, 300 calls, and the files. */
const MAX_DESCRIPTORS = 900

export function watchResources(pid: number): Resources {
  const startedAt = performance.now()
  const samples: Sample[] = []
  const timer = setInterval(() => samples.push(look(pid, (performance.now() - startedAt) / 60_000)), 1_000)
  return {
    stop(changes) {
      clearInterval(timer)
      const last = look(pid, (performance.now() - startedAt) / 60_000)
      return judge([...samples, last], changes)
    },
  }
}

function judge(samples: readonly Sample[], changes: number): ReturnType<Resources['stop']> {
  const highest = (of: (sample: Sample) => number) => Math.max(...samples.map(of))
  const [memoryMb, descriptors] = [
    highest((sample) => sample.memoryMb),
    highest((sample) => sample.descriptors),
  ]
  const minutes = samples.at(-1)?.minutes ?? 0
  // The first third includes loading and compiling.
  const settled = samples.slice(Math.floor(samples.length / 3))
  const [memorySlope, descriptorSlope] = [
    slope(settled, (sample) => sample.memoryMb),
    slope(settled, (sample) => sample.descriptors),
  ]
  const tablesMb = (changes * MAX_BYTES_OF_CHANGE) / 1_048_576
  const allowed = MAX_MB_IN_A_MINUTE + tablesMb / minutes
  const isLong = minutes >= SHORTEST_MINUTES
  const problems = [
    ...(memoryMb > MAX_MEMORY_MB + tablesMb
      ? [`memory came to ${memoryMb.toFixed(0)} MB, of which the tables may take ${tablesMb.toFixed(0)}`]
      : []),
    ...(descriptors > MAX_DESCRIPTORS ? [`${descriptors} descriptors were open`] : []),
    ...(isLong && memorySlope > allowed
      ? [
          `memory grew by ${memorySlope.toFixed(1)} MB a minute, and the tables by ${allowed.toFixed(1)} at most`,
        ]
      : []),
    ...(isLong && descriptorSlope > 1 ? [`descriptors grew by ${descriptorSlope.toFixed(1)} a minute`] : []),
  ]
  const [memoryGrowth, descriptorGrowth] = isLong
    ? [`, ${memorySlope.toFixed(1)} MB more a minute`, `, ${descriptorSlope.toFixed(1)} more a minute`]
    : ['', '']
  const detail = `memory ${memoryMb.toFixed(0)} MB at most${memoryGrowth}; ${descriptors} descriptors at most${descriptorGrowth}`
  return { detail, problems }
}

function slope(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map(({ minutes }) => minutes)), mean(samples.map(of))]
  const covariance = mean(samples.map((sample) => (sample.minutes - x) * (of(sample) - y)))
  const variance = mean(samples.map(({ minutes }) => (minutes - x) ** 2))
  return variance === 0 ? 0 : covariance / variance
}

function look(pid: number, minutes: number): Sample {
  const [, kB = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { minutes, memoryMb: Number(kB) / 1_024, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}
