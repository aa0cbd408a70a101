import { inspect, styleText } from 'node:util'
import { CommanderError } from 'commander'
import { errorMessage, isError } from '../../spec/errors.ts'
import { commandLine, formatRemedy, startSentence, type CommandTarget } from '../engine/core/command-line.ts'
import { DataFolderError } from '../adapters/data-folder.ts'
import { CertificateAuthorityError } from '../adapters/certificate-authority-files.ts'
import { ListenError } from '../adapters/listen-error.ts'
import { RefusedError, type RefusedOptions } from '../client/requests.ts'
import { UnreachableError } from '../client/unreachable.ts'
import { maskUrls } from '../engine/core/masking.ts'
import { toPrintable, toPrintableJson, toPrintableLines } from '../engine/core/short-text.ts'
import { isTemporary, StorageError } from '../engine/state/storage-error.ts'

export const EXIT = { fine: 0, failed: 1, misused: 2, unreachable: 3, damaged: 4 } as const

interface UsageErrorOptions extends ErrorOptions {
  /** The lines to print if the message has several lines. Defaults to the message as a single line. */
  readonly lines?: readonly string[]
}

export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly lines: readonly string[]

  constructor(message: string, { lines = [message], ...options }: UsageErrorOptions = {}) {
    super(message, options)
    this.lines = lines
  }
}

interface FailureOutput {
  readonly json: boolean
  readonly target: CommandTarget
}

export function reportFailure(error: unknown, { json, target }: FailureOutput): void {
  const code = exitCodeFor(error)
  process.exitCode = code ?? EXIT.failed
  // Commander has already printed the usage error, unless JSON was requested.
  if (error instanceof CommanderError && !json) return
  if (code === undefined) return reportBug(error, json)
  const { code: word, message, field, hint, command } = failureDetails(error)
  if (json) {
    const line = command === undefined ? undefined : commandLine(command, target)
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

/** Prints an error as JSON to standard error. The JSON is the last line that a --json command prints. */
function printErrorJson(error: FailureDetails): void {
  console.error(toPrintableJson({ error }))
}

export function formatBug(error: unknown): string {
  return toPrintableLines(maskUrls(inspect(error)))
}

export function styleError(line: string, format: 'red' | 'yellow' = 'red'): string {
  return line.replace(/^(?:hookbench|error):/, (word) =>
    styleText(['bold', format], word, { stream: process.stderr }),
  )
}

export function printWarning(text: string): void {
  console.error(styleError(toPrintable(`hookbench: ${text}`), 'yellow'))
}

interface FailureDetails extends Pick<RefusedOptions, 'code' | 'field' | 'hint' | 'command'> {
  readonly message: string
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
  // A storage problem at startup is an error that the user can fix. A running sandbox waits for disk space instead.
  if (error instanceof StorageError)
    return isTemporary(error) || error.kind === 'unusable' ? EXIT.misused : EXIT.damaged
  return undefined
}
