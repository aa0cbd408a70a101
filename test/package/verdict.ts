import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '../support/free-ports.ts'
import { findNode } from './find-node.ts'
import { install, run, type Place } from './place.ts'

const CHECKS = ['registration', 'trust/lying-body', 'idempotency/same-delivery-again']

/**
 * Goes from an empty folder to a receiver that is green: installs the package, has it write a receiver and a certificate, and puts some
 * checks to that. Gives how many seconds that took. Rejects where anything of it fails.
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

/** A machine may have something on the ports of the configuration as it is written. */
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
