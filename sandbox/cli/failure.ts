import { inspect, styleText } from 'node:util'
import { CommanderError } from 'commander'
import { errorMessage, isError } from '../../spec/errors.ts'
import { commandLine, formatRemedy, startSentence, type CommandTarget } from '../engine/core/command-line.ts'
import { DataFolderError } from '../adapters/data-folder.ts'
import { CertificateAuthorityError } from '../adapters/certificate-authority-error.ts'
import { ListenError } from '../adapters/listen-error.ts'
import { RefusedError, type RefusedOptions } from '../client/requests.ts'
import { UnreachableError } from '../client/unreachable.ts'
import { maskUrls } from '../engine/core/masking.ts'
import { toPrintable, toPrintableJson, toPrintableLines } from '../engine/core/short-text.ts'
import { isTemporary, StorageError } from '../engine/state/storage-error.ts'

/** What an exit code means to a script. */
export const EXIT = { fine: 0, failed: 1, misused: 2, unreachable: 3, damaged: 4 } as const

interface UsageErrorOptions extends ErrorOptions {
  /** The same for people, where it is too much for one line. */
  readonly lines?: readonly string[]
}

/** The command was called in a way it cannot carry out. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly lines: readonly string[]

  constructor(message: string, { lines = [message], ...options }: UsageErrorOptions = {}) {
    super(message, options)
    this.lines = lines
  }
}

/** How a failure is printed, and which sandbox its commands name. */
interface FailureOutput {
  readonly json: boolean
  readonly target: CommandTarget
}

/** Prints what failed, in one line but for what has its own, and sets the exit code; a bug keeps its stack. */
export function reportFailure(error: unknown, { json, target }: FailureOutput): void {
  const code = exitCodeFor(error)
  process.exitCode = code ?? EXIT.failed
  // Unless JSON was asked for, commander has printed what is wrong with the command line, and where to read more.
  if (error instanceof CommanderError && !json) return
  if (code === undefined) return reportBug(error, json)
  const { code: word, message, field, hint, command } = failureDetails(error)
  if (json) {
    const line = command === undefined ? undefined : commandLine(command, target)
    // What is undefined is left out.
    printErrorJson({ code: word, message: maskUrls(message), field, hint, command: line })
  } else {
    const remedy = hint === undefined ? '' : `. ${startSentence(formatRemedy({ hint, command }, target))}`
    const [first, ...rest] = error instanceof UsageError ? error.lines : [message]
    console.error(styleError(toPrintable(`hookbench: ${maskUrls(first ?? message)}${remedy}`)))
    for (const line of rest) console.error(toPrintable(maskUrls(line)))
  }
}

function reportBug(error: unknown, json: boolean): void {
  if (!json) return console.error(formatBug(error))
  const { message, stack } = isError(error) ? error : new Error(String(error))
  printErrorJson({ code: 'internal_error', message: maskUrls(message), stack })
}

/** Prints the last line on the standard error of a command that fails with --json. */
function printErrorJson(error: FailureDetails): void {
  console.error(toPrintableJson({ error }))
}

/** A bug with its stack and causes. What a caller or a receiver sent may be in its message. */
export function formatBug(error: unknown): string {
  return toPrintableLines(maskUrls(inspect(error)))
}

/** A line for the standard error, whose first word stands out where that is a terminal that shows styles. */
export function styleError(line: string, format: 'red' | 'yellow' = 'red'): string {
  return line.replace(/^(?:hookbench|error):/, (word) =>
    styleText(['bold', format], word, { stream: process.stderr }),
  )
}

/** Says on the standard error what is no failure, but worth a look. */
export function printWarning(text: string): void {
  console.error(styleError(toPrintable(`hookbench: ${text}`), 'yellow'))
}

interface FailureDetails extends Pick<RefusedOptions, 'code' | 'field' | 'hint' | 'command'> {
  readonly message: string
  /** Only for an error of the program itself. */
  readonly stack?: string | undefined
}

function failureDetails(error: unknown): FailureDetails {
  if (error instanceof RefusedError) return error
  if (error instanceof UnreachableError) {
    const { code, problem: message, hint, command } = error
    return { code, message, hint, command }
  }
  if (error instanceof CommanderError) {
    return { message: explainCommandLine(error.message).replaceAll(/\s+/g, ' ') }
  }
  return { message: errorMessage(error) }
}

/** Says what commander found wrong, as the other errors are said. */
export function explainCommandLine(message: string): string {
  return message.replace(/^error: /, 'Cannot read the command line: ')
}

function exitCodeFor(error: unknown): number | undefined {
  if (error instanceof CommanderError) return EXIT.misused
  if (error instanceof UsageError || error instanceof RangeError) return EXIT.misused
  if (error instanceof DataFolderError || error instanceof ListenError) return EXIT.misused
  if (error instanceof UnreachableError) return EXIT.unreachable
  if (error instanceof RefusedError) return error.misused ? EXIT.misused : EXIT.failed
  if (error instanceof CertificateAuthorityError) return error.unusable ? EXIT.misused : EXIT.damaged
  // A running sandbox waits for room; at its start both are the user's to mend.
  if (error instanceof StorageError)
    return isTemporary(error) || error.kind === 'unusable' ? EXIT.misused : EXIT.damaged
  return undefined
}
