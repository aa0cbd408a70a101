import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { PROGRAM, run } from './installed-package.ts'
import { readPageCode } from './page-code.ts'
import { freePorts } from './receiver-program.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A page of docs/receivers, done as it says. */
export interface ReceiverPage {
  readonly name: string
  /** What has to be there: a command that ends with 0, and what installs it. */
  readonly needs?: readonly (readonly [command: string, remedy: string])[]
  /** Packages of npm that this checkout does not have. */
  readonly packages?: readonly string[]
}

/** What a check came to. */
interface CheckOutcome {
  readonly id: string
  readonly severity: 'must' | 'should'
  readonly verdict: string
  readonly actual: string | null
}

interface Wishes {
  /** Ids or topics; all without. */
  readonly checks?: readonly string[]
  /** Changes the code of the page. */
  readonly edit?: (code: string) => string
}

/** Does what the page says, on free ports, and gives what its last command found. */
export async function runReceiverPage(
  page: ReceiverPage,
  { checks = [], edit = (code) => code }: Wishes = {},
): Promise<readonly CheckOutcome[]> {
  const folder = mkdtempSync(join(tmpdir(), `hookbench-${page.name}-`))
  try {
    const place = await writePage(page, folder, edit)
    for (const line of commandsOf(page)) {
      const isCheck = line === 'npx hookbench check'
      const more = isCheck ? ` --port 0 --report-json report.json ${checks.join(' ')} || test $? -lt 2` : ''
      await runLine(`${line}${more}`, folder)
    }
    // The run has stopped what it has started itself.
    await runLine(`${place.stop} || true`, folder)
    const report: { readonly checks: readonly CheckOutcome[] } = JSON.parse(
      readFileSync(join(folder, 'report.json'), 'utf8'),
    )
    return report.checks
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const codeOf = ({ name }: ReceiverPage) =>
  readPageCode(join(ROOT, `docs/receivers/${name}.md`)).filter(({ notRun }) => notRun === undefined)

const commandsOf = (page: ReceiverPage) =>
  codeOf(page)
    .filter(({ language }) => language === 'sh')
    .flatMap((block) => block.text.trim().split('\n'))

/** Writes the files of the page; gives the command that stops what it starts. */
async function writePage(page: ReceiverPage, folder: string, edit: (code: string) => string) {
  const [port, inner] = await freePorts(2)
  const files = codeOf(page).flatMap(({ file, text: code }) => (file === undefined ? [] : [{ file, code }]))
  for (const { file, code } of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    const placed = edit(code).replaceAll('9443', String(port)).replaceAll('9080', String(inner))
    writeFileSync(join(folder, file), placed)
  }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'platform', private: true, type: 'module' }),
  )
  if (page.packages)
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...page.packages], folder)
  else symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'npx'), NPX, { mode: 0o755 })
  const config = files.find(({ file }) => file === 'hookbench.config.yaml')
  const { process: commands }: { readonly process: { readonly stop: string } } = parse(config?.code ?? '')
  return commands
}

/** In place of npm's: Hookbench as these tests start it, and of others what is installed. */
const NPX = `#!/bin/sh
program=$1; shift
[ "$program" = hookbench ] && exec '${process.execPath}' '${PROGRAM}' "$@"
exec node_modules/.bin/"$program" "$@"
`

async function runLine(line: string, folder: string): Promise<void> {
  const path = [folder, dirname(process.execPath), process.env['PATH']].join(delimiter)
  const env = { ...process.env, PATH: path, NEXT_TELEMETRY_DISABLED: '1' }
  // A file, as what a command starts may hold its output open.
  const child = spawn(`${line} > command.log 2>&1`, {
    shell: true,
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (code !== 0) {
    const printed = readFileSync(join(folder, 'command.log'), 'utf8').slice(-4_000)
    throw new Error(`"${line}" ended with ${code}: ${errors}${printed}`)
  }
}
