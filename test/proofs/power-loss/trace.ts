import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A system call of a process: when it began, or when it ended, or both at once. */
export interface SystemCall {
  readonly name: string
  /** As strace prints them, with strings in hexadecimal. */
  readonly words: string
  /** Undefined while it has not ended. */
  readonly result: number | undefined
  readonly begins: boolean
}

const CALLS =
  'openat,open,close,write,pwrite64,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,link,linkat'
/** More than any write of ours has. */
const LONGEST = 16_777_216

const SCENARIO = fileURLToPath(new URL('scenario.ts', import.meta.url))

/** Runs the scenario on `folder` and calls back with its system calls, in their order. */
export async function traceScenario(
  folder: string,
  options: readonly string[],
  onCall: (call: SystemCall) => void,
): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'hookbench-trace-'))
  const output = join(place, 'trace')
  const how = ['-f', '--seccomp-bpf', '-xx', '-s', String(LONGEST), '-o', output, '-e', `trace=${CALLS}`]
  try {
    const command = [...how, process.execPath, SCENARIO, '--folder', folder, ...options]
    const child = spawn('strace', command, { stdio: ['ignore', 'ignore', 'inherit'] })
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`The scenario ended with ${String(code)}: ${options.join(' ')}`)
    await readTrace(output, onCall)
  } finally {
    rmSync(place, { recursive: true })
  }
}

const LINE = /^(\d+)\s+(\w+)\(/

/** A call that others come between is told of twice: as it begins, and as it ends. */
async function readTrace(output: string, onCall: (call: SystemCall) => void): Promise<void> {
  const begun = new Map<string, string>()
  for await (const line of createInterface({ input: createReadStream(output, 'latin1') })) {
    const resumed = /^(\d+)\s+<\.\.\. (\w+) resumed>/.exec(line)
    const started = LINE.exec(line)
    if (resumed) {
      const [, thread = '', name = ''] = resumed
      onCall({ name, words: begun.get(thread) ?? '', result: resultOf(line), begins: false })
    } else if (started) {
      const [head, thread = '', name = ''] = started
      const words = line.slice(head.length)
      const isUnfinished = words.endsWith('<unfinished ...>')
      if (isUnfinished) begun.set(thread, words)
      onCall({ name, words, result: isUnfinished ? undefined : resultOf(words), begins: true })
    }
  }
}

function resultOf(line: string): number {
  return Number.parseInt(line.slice(line.lastIndexOf(' = ') + 3), 10)
}
