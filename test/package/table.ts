import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BARS, countPackages, formatBytes, weigh } from '../support/package-weight.ts'
import { installUnder, NODES, type Installed } from './nodes.ts'
import { ROOT, run, type Place } from './place.ts'
import { reachVerdict } from './verdict.ts'

const PAGE = join(ROOT, 'docs/reference/package.md')

/** Measures the package, and writes it into the table of the page. */
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

/** Of three, since a machine is busy with other things, too. */
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
    ['Packages that an install adds', String(countPackages(folder)), String(BARS.packages)],
    ['What an install adds', formatBytes(installed.bytes), formatBytes(BARS.bytes)],
  ]
}
