import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { ReconcileOptions } from '../toolkit/options.ts'
import { ProbeError } from '../toolkit/ports.ts'
import { explainNoAnswer, maskText } from '../../sandbox/internal.ts'
import { errorMessage } from '../../spec/errors.ts'

export interface CommandOptions {
  /** The configuration key of the command, such as `process.start`. */
  readonly name: string
  /** Environment variables for this command only. */
  readonly environment?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 20_000

/** Opens a shell. Commands in this shell inherit the environment of this process, plus the variables in `environment`. */
export function openShell(environment: Readonly<Record<string, string>> = {}) {
  const underWay = new Set<Command>()
  return {
    /** Throws ProbeError with the output if the command fails. */
    async run(line: string, { name, environment: own, timeoutMs = TIMEOUT_MS }: CommandOptions) {
      const command = startCommand(line, { ...process.env, ...environment, ...own })
      underWay.add(command)
      const timer = setTimeout(() => command.end(`after ${timeoutMs} ms`), timeoutMs)
      try {
        const { printed, problem } = await command.ended
        if (problem === undefined) return printed
        throw new ProbeError(`Cannot run ${name} "${maskText(line)}": ${problem}`)
      } finally {
        clearTimeout(timer)
        underWay.delete(command)
      }
    },
    close() {
      for (const command of underWay) command.end('when the run was closed')
    },
  }
}

export type Shell = ReturnType<typeof openShell>

interface Command {
  readonly ended: Promise<{ readonly printed: string; readonly problem: string | undefined }>
  /** Kills the command and its child processes. */
  end(when: string): void
}

type Child = ChildProcessByStdio<null, Readable, Readable>

function startCommand(line: string, env: NodeJS.ProcessEnv): Command {
  // The shell runs in its own process group, so that the program can also kill the children of the shell.
  const detached = process.platform !== 'win32'
  const child: Child = spawn(line, { shell: true, detached, stdio: ['ignore', 'pipe', 'pipe'], env })
  const [printed, errors] = [collect(child.stdout), collect(child.stderr)]
  const ended = Promise.withResolvers<Awaited<Command['ended']>>()
  const finish = (problem: string | undefined) => ended.resolve({ printed: printed(), problem })
  child.on('error', ({ message }) => finish(message))
  child.on('close', (code) => finish(code === 0 ? undefined : describeFailure(code, errors() || printed())))
  return {
    ended: ended.promise,
    end(when) {
      finish(
        child.exitCode === null
          ? `the command did not end ${when}, so its process group was killed. Use a command that ends by itself`
          : `a child process of the command still held its output open ${when}, so the child was killed. Redirect the output: > receiver.log 2>&1 &`,
      )
      killGroup(child)
    },
  }
}

function describeFailure(code: number | null, said: string): string {
  const how = code === null ? 'the command was killed' : `the command ended with code ${code}`
  return `${how}${said === '' ? '' : `, with the output: ${said.trim()}`}. Let the command end with code 0`
}

function collect(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  return () => text
}

/** Kills the process group of the shell, because its children may outlive the shell. */
function killGroup(child: Child): void {
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL')
    else child.kill('SIGKILL')
  } catch {
    // The process group has already ended.
  }
  // Closes the output streams, because processes outside the group may keep them open.
  child.stdout.destroy()
  child.stderr.destroy()
}

const RECONCILE_TIMEOUT_MS = 60_000

/** Runs the platform's search for missed notifications. Returns the error message if the search fails, otherwise undefined. */
export async function runReconciliation(
  options: ReconcileOptions,
  shell: Shell,
): Promise<string | undefined> {
  if (options.kind === 'http') return postTo(options.url)
  try {
    await shell.run(options.command, { name: 'reconcile.command', timeoutMs: RECONCILE_TIMEOUT_MS })
    return undefined
  } catch (error) {
    return errorMessage(error)
  }
}

async function postTo(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { method: 'POST', signal: AbortSignal.timeout(RECONCILE_TIMEOUT_MS) })
    const said = await answer.text()
    return answer.ok
      ? undefined
      : `reconcile.http ${maskText(url)} answered ${answer.status}: ${said.slice(0, 200)}`
  } catch (error) {
    return `reconcile.http failed: ${explainNoAnswer(error, url).reason}`
  }
}
