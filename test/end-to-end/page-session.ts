import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import { onTestFinished, vi } from 'vitest'
import { linkDependencies, PROGRAM } from '../support/installed-package.ts'
import { missingLine, type PageCode } from '../support/pages.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The command prefix that starts a program in its own network. */
type Network = readonly string[]

/** Opens a network that has only loopback, so that the ports in a page's commands are free. */
async function openNetwork(): Promise<Network> {
  const holder = spawn(
    'unshare',
    ['--net', 'sh', '-c', 'ip link set lo up && echo ready && exec sleep 3600'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void holder.kill('SIGKILL'))
  const ready = once(createInterface(holder.stdout), 'line').then(() => true)
  if (!(await Promise.race([ready, once(holder, 'close').then(() => false)])))
    throw new Error('Cannot give the page a network of its own: unshare ended')
  return ['nsenter', `--net=/proc/${holder.pid}/ns/net`]
}

interface PageRun {
  readonly folder: string
  readonly printed: string
}

type Placeholders = Readonly<Record<string, RegExp>>

interface PageOptions {
  readonly placeholders?: Placeholders
  /** The installed package. Defaults to a new folder and the Node of this process. */
  readonly installed?: { readonly folder: string; readonly node: string }
}

interface Session {
  readonly folder: string
  readonly network: Network
  readonly variables: NodeJS.ProcessEnv
  readonly lasting: Map<string, ChildProcess>
  readonly children: ChildProcess[]
  printed: string
  read: () => string
}

export async function runPage(
  blocks: readonly PageCode[],
  { placeholders = {}, installed = installHere() }: PageOptions = {},
): Promise<PageRun> {
  const session = await openSession(installed)
  for (const block of blocks) {
    if (block.notRun !== undefined) continue
    if (block.file !== undefined) writeBlock(session.folder, block.file, block.text)
    else if (block.words.includes('install')) continue
    else if (block.words.includes('lasting')) await beginLasting(session, block)
    else if (block.language === 'sh') await runBlock(session, block, placeholders)
    else if (block.language === 'text') await compareBlock(session, block)
    else throw new Error(`line ${block.line}: neither a file, nor for a shell, nor what one prints`)
  }
  return session
}

async function openSession({ folder, node }: NonNullable<PageOptions['installed']>): Promise<Session> {
  const session: Session = {
    folder,
    network: await openNetwork(),
    variables: { ...BARE, HOME: folder, PATH: `${dirname(node)}:${process.env['PATH']}` },
    lasting: new Map(),
    children: [],
    printed: '',
    read: () => '',
  }
  onTestFinished(() => Promise.all(session.children.map(endProcess)).then(() => undefined))
  return session
}

function installHere(): NonNullable<PageOptions['installed']> {
  const folder = temporaryFolder()
  linkDependencies(folder, 'msw', 'commonjs')
  symlinkSync(dirname(dirname(PROGRAM)), join(folder, 'node_modules/hookbench'))
  mkdirSync(join(folder, 'node_modules/.bin'))
  for (const name of PACKAGES) symlinkSync(modulePath(name), join(folder, 'node_modules', name))
  for (const [name, path] of BINARIES) symlinkSync(path, join(folder, 'node_modules/.bin', name))
  return { folder, node: process.execPath }
}

const PACKAGES = ['express']

const modulePath = (name: string) => fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url))

const BINARIES = [
  ['hookbench', '../hookbench/bin/hookbench.js'],
  ['vitest', '../vitest/vitest.mjs'],
] as const

/** An environment without the variables of this test run. */
const BARE = { NO_COLOR: '1', NO_UPDATE_NOTIFIER: '1', npm_config_update_notifier: 'false', LANG: 'C.UTF-8' }

function fillPlaceholders(text: string, printed: string, placeholders: Placeholders): string {
  return Object.entries(placeholders).reduce((filled, [word, pattern]) => {
    const value = [...printed.matchAll(new RegExp(pattern, 'gm'))].at(-1)?.[1]
    return value === undefined ? filled : filled.replaceAll(new RegExp(String.raw`\b${word}\b`, 'g'), value)
  }, text)
}

function writeBlock(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

async function runBlock(session: Session, block: PageCode, placeholders: Placeholders): Promise<void> {
  const { text, words, line } = block
  const expected = Number(words[words.indexOf('exit') + 1] ?? 0) || 0
  const parts = splitAtPlaceholders(text, Object.keys(placeholders))
  let printed = ''
  session.read = () => printed
  for (const [index, part] of parts.entries()) {
    const script = fillPlaceholders(part, session.printed, placeholders)
    const { code, output } = await runToEnd(session, script)
    printed += output
    session.printed += output
    if (code !== (index === parts.length - 1 ? expected : 0))
      throw new Error(`line ${line}: exit code ${code}, not ${expected}: ${script}\n${output}`)
  }
}

function splitAtPlaceholders(text: string, words: readonly string[]): readonly string[] {
  if (words.length === 0) return [text]
  return text
    .split(new RegExp(String.raw`^(?=.*\b(?:${words.join('|')})\b)`, 'm'))
    .filter((part) => part !== '')
}

async function runToEnd(session: Session, script: string) {
  const path = `${session.folder}.out`
  const handle = openSync(path, 'w')
  const [code] = await once(begin(session, script, handle), 'exit')
  closeSync(handle)
  const output = readFileSync(path, 'utf8')
  rmSync(path)
  return { code, output }
}

async function beginLasting(session: Session, { text, words, line }: PageCode): Promise<void> {
  const before = session.lasting.get(text)
  if (words.includes('again') && before) await endProcess(before)
  const child = begin(session, text, 'pipe')
  session.lasting.set(text, child)
  let printed = ''
  session.read = () => printed
  const hasSpoken = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
        resolve(true)
      })
    }
  })
  if (!(await Promise.race([hasSpoken, once(child, 'exit').then(() => false)])))
    throw new Error(`line ${line}: it ended without a word: ${text}`)
}

function begin(session: Session, script: string, output: number | 'pipe'): ChildProcess {
  const [program, ...args] = [...session.network, 'bash', '-eu', '-o', 'pipefail', '-c', script] as const
  const { folder: cwd, variables: env } = session
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', output, output] })
  session.children.push(child)
  return child
}

/** Ends the process group, because npx and bash start other processes. Without a pid, kill() would end the tests' own group. */
async function endProcess(child: ChildProcess): Promise<void> {
  const { pid } = child
  if (pid === undefined) return
  const closed = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : []
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {}
  await closed
}

async function compareBlock({ read }: Session, { text, line }: PageCode): Promise<void> {
  await vi.waitFor(
    () => {
      const missing = missingLine(text, read())
      if (missing !== undefined) throw new Error(`line ${line}: "${missing}" was not printed:\n${read()}`)
    },
    { timeout: 20_000 },
  )
}
