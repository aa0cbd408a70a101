import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parse } from 'yaml'
import { PROGRAM } from './installed-package.ts'
import { readPageCode, type PageCode } from './page-code.ts'
import { freePorts } from './free-ports.ts'

const RECEIVER = new URL('../../contracts/reference-receiver/main.ts', import.meta.url).pathname
const PAGES = ['../../docs/guides/ci.md', '../../docs/guides/shared-sandbox.md']
const TOKEN = '3f9c1d2ab47e8051c6d20a94e7b1358f'

/** Returns the blocks of the pages about CI that are this file. Throws if there is none. */
export function ciFiles(file: string): readonly [PageCode, ...PageCode[]] {
  const blocks = PAGES.flatMap((page) => readPageCode(new URL(page, import.meta.url)))
  const [first, ...others] = blocks.filter((block) => block.file === file)
  if (!first) throw new Error(`No page about CI has a block ${file}`)
  return [first, ...others]
}

/** What a job of the page types into a shell; of a workflow, that which is not an action's. */
export function ciScript(file: string): string {
  const { text: written = '' } = ciFiles(file).at(-1) ?? {}
  if (file === 'Jenkinsfile') return /sh '''\n([^]*?)'''/.exec(written)?.[1]?.replaceAll(/^ +/gm, '') ?? ''
  if (file.endsWith('.sh')) return written
  const { jobs, receiver } = Object(parse(written))
  const lines: readonly string[] =
    receiver?.script ??
    jobs.receiver.steps.flatMap(({ run = '' }: { readonly run?: string }) => [run.trimEnd()])
  return `${lines.filter((line) => line !== '').join('\n')}\n`
}

/** A machine of a CI with a checkout whose receiver is the careful one. */
interface CiJob {
  readonly folder: string
  /** With `npm` and `npx` that install nothing, and a Node. */
  readonly env: Readonly<Record<string, string>>
  /** What of the page is for this machine: its receiver listens on a port of its own. */
  readonly adapt: (written: string) => string
  /** Runs a script as a CI does: it ends at the first line that fails. */
  run(script: string): Promise<{ readonly code: number | null; readonly printed: string }>
  close(): void
}

/** What a file names as running may have ended. */
function endProcess(path: string): void {
  if (!existsSync(path)) return
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 'SIGKILL')
  } catch (error) {
    if (Reflect.get(Object(error), 'code') !== 'ESRCH') throw error
  }
}

/** `checks` are the ones that are put to the receiver; `defect` is what it does wrong. */
export async function openCiJob(checks: readonly string[], defect = ''): Promise<CiJob> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookbench-ci-')))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const [port, effectsPort] = await freePorts(2)
  const adapt = (written: string) => written.replaceAll('9443', String(port))
  const script = (name: string, body: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  const start = `exec '${process.execPath}' '${RECEIVER}' --cert localhost.crt.pem --key localhost.key.pem --data data --token ${TOKEN} --port ${port} --effects-port ${effectsPort} ${defect}`
  script('npm', `case "$1" in ci) exit 0 ;; start) echo $$ > receiver.pid; ${start} ;; *) exit 64 ;; esac`)
  script('npx', `[ "$1" = hookbench ] || exit 64; shift; exec '${process.execPath}' '${PROGRAM}' "$@"`)
  const config = { ...Object(JSON.parse(adapt(ciFiles('hookbench.config.json')[0].text))), checks }
  writeFileSync(join(folder, 'hookbench.config.json'), JSON.stringify(config))
  const summary = join(folder, 'step-summary.md')
  const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: folder, GITHUB_STEP_SUMMARY: summary }
  return {
    folder,
    env,
    adapt,
    async run(written) {
      const child = spawn('bash', ['-ec', adapt(written)], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [stdout, stderr] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ])
      return { code: child.exitCode, printed: `${stdout}${stderr}` }
    },
    close() {
      endProcess(join(folder, 'receiver.pid'))
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
