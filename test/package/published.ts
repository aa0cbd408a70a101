import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BARS, countPackages, formatBytes, weigh } from '../support/installed-package.ts'
import { install, type Place, reachVerdict, ROOT, run, type Trial } from './place.ts'
import { type Installed, installUnder, NODES } from './nodes.ts'

const ATTW = '@arethetypeswrong/cli@0.18.5'

/** Tests that check the package before it is installed. `npm test` also runs publint. */
export function publishedTrials(): Trial[] {
  return [
    { name: 'no resolver finds wrong types (arethetypeswrong)', run: judgeTypes },
    { name: 'the action installs from a checkout what the sources load, and no more', run: installForAction },
  ]
}

async function judgeTypes(place: Place): Promise<void> {
  const cwd = place.makeFolder('attw')
  await install([ATTW], { cwd })
  await run('npx', ['--no-install', 'attw', place.tarball, '--format', 'ascii', '--no-emoji'], { cwd })
}

async function installForAction(place: Place): Promise<void> {
  const cwd = place.makeFolder('checkout')
  const files = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  })
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    cpSync(join(ROOT, file), join(cwd, file))
  }
  const args = [
    'ci',
    '--omit=dev',
    '--workspace=build/bundled',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
  ]
  await run('npm', args, { cwd })
  const checks = await run(process.execPath, ['bin/hookbench.js', 'check', '--list'], { cwd })
  if (!checks.includes('registration/accepts-test-post')) throw new Error(`it lists no checks: ${checks}`)
  await run(process.execPath, ['bin/hookbench.js', 'generate', '--out', 'generated'], { cwd })
  const packages = countPackages(cwd)
  console.log(`    ${formatBytes(weigh(join(cwd, 'node_modules')).bytes)}, ${packages} packages`)
  if (packages > 60) throw new Error(`${packages} packages are installed; at most 60 may be`)
}

const PAGE = join(ROOT, 'docs/reference/package.md')

export async function writeTable(place: Place): Promise<void> {
  const rows: string[][] = []
  for (const version of NODES) {
    const { seconds, folder } = await installQuickest(place, version)
    if (rows.length === 0) rows.push(...sizeRows(place, folder))
    rows.push([`Install from a warm cache, Node ${version}`, `${seconds.toFixed(1)} s`, `${BARS.seconds} s`])
    const verdict = await reachVerdict(place, version)
    rows.push([`From an empty folder to a first verdict, Node ${version}`, `${verdict.toFixed(1)} s`, ''])
  }
  const lines = [['What', 'Measured', 'At most'], ['---', '---', '---'], ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  )
  const page = readFileSync(PAGE, 'utf8')
  writeFileSync(PAGE, page.replace(/^\| What [^]*?\n(?!\|)/m, `${lines.join('\n')}\n`))
  await run('npx', ['prettier', '--write', PAGE], { cwd: ROOT })
}

/** Installs the package three times and returns the fastest result, because other load can slow the machine. */
async function installQuickest(place: Place, version: string): Promise<Installed> {
  const installs: Installed[] = []
  for (let count = 0; count < 3; count++) installs.push(await installUnder(place, version))
  return installs.reduce((quickest, next) => (next.seconds < quickest.seconds ? next : quickest))
}

function sizeRows(place: Place, folder: string): string[][] {
  const unpacked = weigh(join(folder, 'node_modules/hookbench'))
  const installed = weigh(join(folder, 'node_modules'))
  return [
    ['Download', formatBytes(statSync(place.tarball).size), ''],
    ['Unpacked', formatBytes(unpacked.bytes), ''],
    ['Files', String(unpacked.files), ''],
    ['Number of installed packages', String(countPackages(folder)), String(BARS.packages)],
    ['Installed size', formatBytes(installed.bytes), formatBytes(BARS.bytes)],
  ]
}
