import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findControlAddress } from '../../../sandbox/client/control-address.ts'
import { createControlClient } from '../../../sandbox/client/control-client.ts'
import type { Perform } from '../../../sandbox/compose/perform.ts'
import type { JobPage, JobSummary } from '../../../spec/generated/control-types.ts'
import type { TestCertificate } from '../../support/certificates.ts'
import { openWorkshop } from '../../support/program.ts'

export interface SoakedSandbox {
  readonly pid: number
  readonly certificate: TestCertificate
  readonly perform: Perform
  jobs(): Promise<readonly JobSummary[]>
  end(): Promise<number | null>
  close(): Promise<void>
}

export async function startSandbox(): Promise<SoakedSandbox> {
  const shop = openWorkshop()
  const up = await shop.up()
  process.once('exit', () => void shop.close())
  const perform = createControlClient(findControlAddress(join(shop.folder, '.hookbench'), {}))
  return {
    pid: up.pid ?? 0,
    certificate: await shop.certificate(),
    perform,
    async jobs() {
      const all: JobSummary[] = []
      for (let cursor: string | null = '0'; cursor !== null;) {
        const page: JobPage = await perform('listJobs', { query: { limit: 200, cursor } })
        all.push(...page.jobs)
        cursor = page.next_cursor
      }
      return all
    },
    end: () => up.end('SIGTERM'),
    close: () => shop.close(),
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

/** The maximum memory of the process, excluding the tables. */
const MAX_MEMORY_MB = 400

/** The memory in bytes that each change may use for index entries of objects, jobs and attempts. */
const MAX_BYTES_OF_CHANGE = 1_024

/** The maximum memory growth in MB per minute. Runs shorter than `SHORTEST_MINUTES` cannot reveal a leak. */
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
  // Skips the first third, in which the program is loaded and compiled.
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
