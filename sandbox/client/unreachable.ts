import { formatRemedy, startSentence, type Remedy } from '../engine/core/command-line.ts'
import { explainNoAnswer } from './no-answer.ts'

type UnreachableCode =
  | 'no_sandbox'
  | 'damaged_run_file'
  | 'no_answer'
  | 'untrusted_certificate'
  | 'not_a_sandbox'
  | 'not_ready'
  | 'lost_world'

interface UnreachableOptions extends ErrorOptions, Remedy {
  readonly code: UnreachableCode
  readonly state: string
}

/** An error for a sandbox that does not answer, or for a server that is not a sandbox. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  readonly code: UnreachableCode
  /** The message without the fix. */
  readonly problem: string
  readonly state: string
  readonly hint: string
  readonly command: string | undefined

  /** `attempt` is the failed action, such as "find a sandbox". */
  constructor(attempt: string, { code, state, hint, command, ...options }: UnreachableOptions) {
    const problem = `Cannot ${attempt}: ${state}`
    super(`${problem}. ${startSentence(formatRemedy({ hint, command }))}`, options)
    this.code = code
    this.problem = problem
    this.state = state
    this.hint = hint
    this.command = command
  }
}

export function noAnswer(url: string, cause: unknown): UnreachableError {
  const { origin } = new URL(url)
  const { isUntrusted, reason } = explainNoAnswer(cause, url)
  if (isUntrusted) {
    return new UnreachableError(`trust the sandbox at ${origin}`, {
      code: 'untrusted_certificate',
      state: 'its certificate comes from a CA that is not trusted',
      hint: 'name the data folder of the sandbox with --data, or the file of its CA in HOOKBENCH_CA',
      cause,
    })
  }
  return new UnreachableError(`reach the sandbox at ${origin}`, {
    code: 'no_answer',
    state: reason,
    hint: 'start it',
    command: 'up',
    cause,
  })
}

export function notSandbox(attempt: string, state: string): UnreachableError {
  const hint =
    'set HOOKBENCH_URL to the address of the bench, which the sandbox prints when it starts, or give --data'
  return new UnreachableError(attempt, { code: 'not_a_sandbox', state, hint })
}
