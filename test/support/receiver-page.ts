import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { parse } from 'yaml'
import { freePorts } from './free-ports.ts'
import { PROGRAM, run } from './installed-package.ts'
import { readPageCode } from './pages.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A page of docs/receivers, by its file name. */
export interface ReceiverPage {
  readonly name: string
  readonly needs?: readonly (readonly [command: string, remedy: string])[]
  /** npm packages that this checkout does not contain. */
  readonly packages?: readonly string[]
}

export const CONFIG = 'hookbench.config.yaml'

/** Long time limits for a busy machine, because these tests allow late responses. */
const PATIENCE = 'budgetMs: 60000\nsettleMs: 30000\nreadings: { delivery-deadline: 60s }\n'

export const CHECK = 'npx hookbench check'

/** Prepares a page's receiver, calls `use`, and stops the receiver afterwards. */
export async function withPage<Result>(
  page: ReceiverPage,
  use: (opened: Awaited<ReturnType<typeof openPage>>) => Promise<Result>,
  edit?: (code: string) => string,
): Promise<Result> {
  const opened = await openPage(page, edit)
  const { folder, prepare, stop, close } = opened
  try {
    await prepare()
    return await use(opened)
  } finally {
    await runLine(`${stop} || true`, folder)
    close()
  }
}

async function openPage(page: ReceiverPage, edit = (code: string) => code) {
  const folder = mkdtempSync(join(tmpdir(), `hookbench-${page.name}-`))
  const [port, inner] = await freePorts(2)
  const place = (code: string) => code.replaceAll('9443', String(port)).replaceAll('9080', String(inner))
  const code = readPageCode(join(ROOT, `docs/receivers/${page.name}`))
  const blocks = code.filter(({ notRun }) => notRun === undefined)
  for (const { file, text: content } of blocks) {
    if (file === undefined) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    const more = file === CONFIG ? PATIENCE : ''
    writeFileSync(join(folder, file), `${place(edit(content))}${more}`)
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'commonjs' }))
  writeFileSync(join(folder, 'npx'), NPX, { mode: 0o755 })
  const config: { readonly process: { readonly start: string; readonly stop: string } } = parse(
    readFileSync(join(folder, CONFIG), 'utf8'),
  )
  return {
    folder,
    place,
    start: config.process.start,
    stop: config.process.stop,
    async prepare() {
      installPackages(page, folder)
      const shell = blocks.filter(({ language }) => language === 'sh')
      const lines = shell.flatMap((block) => block.text.trim().split('\n'))
      for (const line of lines.filter((each) => each !== CHECK)) await runLine(line, folder)
    },
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** The folders with the packages installed for a page. */
const installed = new Map<string, string>()

afterAll(() => {
  for (const folder of installed.values()) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

function installPackages({ name, packages }: ReceiverPage, folder: string): void {
  if (!packages) return symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  let source = installed.get(name)
  if (source === undefined) {
    source = mkdtempSync(join(tmpdir(), `hookbench-packages-${name}-`))
    installed.set(name, source)
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], source)
  }
  // Hard links, because bundlers reject symbolic links to other folders.
  run('cp', ['-al', join(source, 'node_modules'), folder], folder)
}

const NPX = `#!/bin/sh
program=$1; shift
[ "$program" = hookbench ] && exec '${process.execPath}' '${PROGRAM}' "$@"
exec node_modules/.bin/"$program" "$@"
`

export async function runLine(line: string, folder: string): Promise<string> {
  const path = [folder, dirname(process.execPath), process.env['PATH']].join(delimiter)
  const env = { ...process.env, PATH: path, NEXT_TELEMETRY_DISABLED: '1' }
  // The output goes to a file, because a child process may keep a pipe open.
  const child = spawn(`(${line}) > command.log 2>&1`, {
    shell: true,
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  const printed = readFileSync(join(folder, 'command.log'), 'utf8')
  if (code === 0) return printed
  throw new Error(`"${line}" ended with ${code}: ${errors}${printed.slice(-4_000)}`)
}
