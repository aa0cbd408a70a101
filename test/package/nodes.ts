import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Ended } from '../support/program.ts'
import { BARS, countPackages, formatBytes, weigh } from '../support/installed-package.ts'
import { attempt, findNode, hasNodes, install, type Place, reachVerdict, run, type Trial } from './place.ts'

/** The oldest supported Node version, and the newest release of each major version. */
export const NODES = ['22.19.0', '22.23.3', '24.21.0', '26.10.0']

const TOO_OLD = ['18.20.8', '20.20.2']

const ENTRIES = ['', '/config', '/contracts', '/examples', '/node-test', '/types', '/validate']

export function nodeTrials(): Trial[] {
  if (!hasNodes) {
    console.log(`Not tried: other versions of Node; npm has none for ${process.platform}-${process.arch}`)
    return []
  }
  return [
    ...NODES.flatMap((version) => [
      {
        name: `Node ${version} installs it alone, light and soon`,
        run: async (place: Place) => requireLight(await installUnder(place, version)),
      },
      {
        name: `Node ${version} runs the program, and loads it by import and by require`,
        run: (place: Place) => runUnder(place, version),
      },
      {
        name: `Node ${version} goes from an empty folder to a receiver that is green`,
        run: async (place: Place) => console.log(`    ${(await reachVerdict(place, version)).toFixed(1)} s`),
      },
    ]),
    ...TOO_OLD.map((version) => ({
      name: `Node ${version} is told in one line which one is needed`,
      run: (place: Place) => refuseUnder(place, version),
    })),
  ]
}

export interface Installed {
  readonly folder: string
  readonly node: string
  readonly seconds: number
}

export async function installUnder(place: Place, version: string): Promise<Installed> {
  const node = await findNode(place, version)
  await install([place.tarball], { cwd: place.makeFolder(`warm-${version}`), node })
  const folder = place.makeFolder(`user-${version}`)
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  rmSync(join(folder, 'package-lock.json'), { force: true })
  const startedAt = performance.now()
  await install([place.tarball], { cwd: folder, node })
  return { folder, node, seconds: (performance.now() - startedAt) / 1_000 }
}

function requireLight({ folder, seconds }: Installed): void {
  const { bytes } = weigh(join(folder, 'node_modules'))
  const packages = countPackages(folder)
  console.log(`    ${formatBytes(bytes)}, ${packages} package(s), ${seconds.toFixed(1)} s`)
  if (bytes > BARS.bytes) throw new Error(`${formatBytes(bytes)} are installed; at most 25 MB may be`)
  if (packages > BARS.packages) throw new Error(`${packages} packages are installed; at most 40 may be`)
}

async function runUnder(place: Place, version: string): Promise<void> {
  const { folder: cwd, node } = await userOf(place, version)
  const program = join(cwd, 'node_modules/hookbench/bin/hookbench.js')
  const checks = await run(node, [program, 'check', '--list'], { cwd, node })
  if (!checks.includes('registration/accepts-test-post')) throw new Error(`it lists no checks: ${checks}`)
  await run(node, [program, 'generate', '--out', 'generated'], { cwd, node })
  const script = `
    const assert = require('node:assert/strict')
    void (async () => {
      for (const entry of ${JSON.stringify(ENTRIES)}) {
        const [required, imported] = [require('hookbench' + entry), await import('hookbench' + entry)]
        for (const name of Object.keys(imported)) assert.equal(required[name], imported[name])
      }
      const sandbox = await require('hookbench').createSandbox({ seed: 1 })
      const { amount } = await sandbox.create('items', { amount: 1200 })
      await sandbox.close()
      console.log(amount)
    })()
  `
  const ended = await attempt(node, ['--input-type=commonjs', '--eval', script], { cwd, node })
  const warnings = ended.stderr.replaceAll(/^.*(ExperimentalWarning: SQLite|--trace-warnings).*\n/gm, '')
  if (ended.stdout !== '1200\n' || warnings !== '') throw new Error(`${ended.stdout}${warnings}`)
}

async function refuseUnder(place: Place, version: string): Promise<void> {
  const cwd = place.makeFolder(`old-${version}`)
  const node = await findNode(place, version)
  await install([place.tarball], { cwd })
  const needed = `on Node ${version}: it needs 22.19 or newer`
  const ways = [
    ['--eval', `require('hookbench')`],
    ['--input-type=module', '--eval', `import 'hookbench'`],
    [join(cwd, 'node_modules/hookbench/bin/hookbench.js'), 'up'],
  ]
  for (const args of ways) requireRefusal(await attempt(node, args, { cwd, node }), needed)
}

function requireRefusal({ code, stderr }: Ended, needed: string): void {
  const said = stderr.split('\n').filter((line) => line.includes(needed))
  if (code === 0 || said.length !== 1 || /SyntaxError|\n +at /.test(stderr)) throw new Error(stderr)
}

const users = new Map<string, Promise<Installed>>()

function userOf(place: Place, version: string): Promise<Installed> {
  const present = users.get(version) ?? installUnder(place, version)
  users.set(version, present)
  return present
}
