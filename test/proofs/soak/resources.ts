import { readdirSync, readFileSync } from 'node:fs'

interface Sample {
  readonly minutes: number
  readonly memoryMb: number
  readonly descriptors: number
}

/** Memory and descriptors of a process, looked at every second until it is stopped. */
export interface Resources {
  /** Looks no more; what was seen, and what is too much of it. */
  stop(changes: number): { readonly detail: string; readonly problems: readonly string[] }
}

/** Beside what the tables take. */
const MOST_MEMORY_MB = 400
/** What a change takes for good: its entries in the indexes of objects, jobs and attempts. */
const MOST_BYTES_OF_CHANGE = 1_024
/** Beside what the tables take; a run shorter than this is too short to see it. */
const MOST_MB_IN_A_MINUTE = 1
const SHORTEST_MINUTES = 10
/** All places of five registrations (96 each), a call for each object (300), and the files: more is a leak. */
const MOST_DESCRIPTORS = 900

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
  // The first third is for what is loaded and compiled.
  const settled = samples.slice(Math.floor(samples.length / 3))
  const [memorySlope, descriptorSlope] = [
    slope(settled, (sample) => sample.memoryMb),
    slope(settled, (sample) => sample.descriptors),
  ]
  const tablesMb = (changes * MOST_BYTES_OF_CHANGE) / 1_048_576
  const allowed = MOST_MB_IN_A_MINUTE + tablesMb / minutes
  const isLong = minutes >= SHORTEST_MINUTES
  const problems = [
    ...(memoryMb > MOST_MEMORY_MB + tablesMb
      ? [`memory came to ${memoryMb.toFixed(0)} MB, of which the tables may take ${tablesMb.toFixed(0)}`]
      : []),
    ...(descriptors > MOST_DESCRIPTORS ? [`${descriptors} descriptors were open`] : []),
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

/** How much it grows in a minute, by least squares. */
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
