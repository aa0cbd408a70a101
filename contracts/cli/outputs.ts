import { accessSync, constants, statSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { annotationsReport } from '../report/annotations.ts'
import { htmlReport } from '../report/html.ts'
import { jsonReport } from '../report/json.ts'
import { junitReport } from '../report/junit.ts'
import { markdownPages } from '../report/markdown.ts'
import type { Report, ReportOptions } from '../report/report.ts'
import type { RunResult } from '../run/run-result.ts'
import { UsageError } from '../../sandbox/internal.ts'

/** A report file and its text. If the text is undefined, the file is deleted. The file name `-` means standard output. */
interface ReportFile {
  readonly file: string
  readonly text: string | undefined
}

type ReportFiles = (result: RunResult, options: ReportOptions, file: string) => readonly ReportFile[]

const REPORTS = {
  junit: ['--junit', inOneFile(junitReport)],
  html: ['--html', inOneFile(htmlReport)],
  markdown: ['--markdown', markdownFiles],
  reportJson: ['--report-json', inOneFile(jsonReport)],
  annotations: ['--annotations', inOneFile(annotationsReport)],
} as const

export type OutputFlags = { readonly [Flag in keyof typeof REPORTS]?: string } & { readonly json?: boolean }

export interface Output {
  readonly flag: string
  readonly file: string
  readonly report: ReportFiles
}

/** Returns the requested reports. Throws UsageError if a report file would not be writable at the end of the run. */
export function parseOutputs(flags: OutputFlags): readonly Output[] {
  const outputs = Object.entries(REPORTS).flatMap(([name, [flag, report]]): readonly Output[] => {
    const file: unknown = Reflect.get(flags, name)
    if (typeof file !== 'string') return []
    if (file !== '') return [{ flag, file, report }]
    throw new UsageError(`Cannot use ${flag} "": the value must be a file, or - for the standard output`)
  })
  const json = { flag: '--json', file: '-', report: inOneFile(jsonReport) }
  const all = flags.json === true ? [...outputs, json] : outputs
  const streamed = all.filter(({ file }) => file === '-').map(({ flag }) => flag)
  if (streamed.length > 1) {
    throw new UsageError(
      `Cannot print both ${streamed.join(' and ')}: only one report can use the standard output. Write the other reports to files`,
    )
  }
  const twice = outputs.find(
    ({ file }, index) =>
      file !== '-' && outputs.findIndex((one) => resolve(one.file) === resolve(file)) < index,
  )
  if (twice) throw new UsageError(`Cannot write ${twice.flag} "${twice.file}": another report uses this file`)
  for (const output of outputs) refuseUnwritable(output)
  return all
}

function inOneFile(report: Report): ReportFiles {
  return (result, options, file) => [{ file, text: report(result, options) }]
}

/** Writes `summary.md`. Failures that do not fit into a pull request comment go to `summary.rest.md` in the same folder. */
function markdownFiles(result: RunResult, options: ReportOptions, file: string): readonly ReportFile[] {
  const name = `${basename(file, extname(file))}.rest${extname(file)}`
  const { text, rest } = markdownPages(result, options, file === '-' ? undefined : name)
  // If `summary.rest.md` is not needed, the file from an earlier run is deleted.
  return [{ file, text }, ...(file === '-' ? [] : [{ file: join(dirname(file), name), text: rest }])]
}

/** Throws UsageError before the run starts if the file cannot be written. */
export function refuseUnwritable({ flag, file }: Pick<Output, 'flag' | 'file'>): void {
  if (file === '-') return
  const folder = dirname(resolve(file))
  try {
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    throw new UsageError(
      `Cannot write ${flag} "${file}": the folder "${dirname(file)}" does not exist, or you cannot write to it`,
      { cause },
    )
  }
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new UsageError(`Cannot write ${flag} "${file}": the path is a folder`)
  }
}
