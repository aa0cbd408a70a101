import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { readOptions } from '../../support/script-options.ts'
import { recordPart } from '../results.ts'
import { listSpellings, SENTINEL_ADDRESSES } from './spellings.ts'
import { trySpellings } from './try-spelling.ts'

/**
 * This program tries every spelling of each forbidden address. As root, the program runs in a network namespace that owns these
 * addresses, and counts all connections. Otherwise, the program only counts connections to this machine.
 */
const { values } = readOptions({
  usage: 'npm run proof -- addresses    every spelling, by every door',
  options: { inside: { type: 'flag' } },
})

/** Adds the addresses to this machine and returns how many were added. */
function takeAddresses(): number {
  execFileSync('ip', ['link', 'set', 'lo', 'up'])
  return SENTINEL_ADDRESSES.filter((address) => {
    try {
      const range = `${address}/${address.includes(':') ? 128 : 32}`
      execFileSync('ip', ['addr', 'add', range, 'dev', 'lo'], { stdio: 'pipe' })
      return true
    } catch {
      return false
    }
  }).length
}

async function run(taken: number): Promise<void> {
  const spellings = listSpellings()
  const where =
    taken > 0 ? `${taken} of the addresses being this machine's own` : 'listening on this machine only'
  const detail = `${spellings.length} spellings at 10 doors, ${where}`
  await recordPart({ proof: 'addresses' }, async () => ({
    cases: spellings.length,
    failures: await trySpellings(spellings),
    detail,
  }))
}

async function canUnshare(): Promise<boolean> {
  const child = spawn('unshare', ['--net', 'ip', 'link'], { stdio: 'ignore' })
  return once(child, 'close').then(
    ([code]) => code === 0,
    () => false,
  )
}

if (values.inside) await run(takeAddresses())
else if (await canUnshare()) {
  const words = ['--net', process.execPath, fileURLToPath(import.meta.url), '--inside']
  const [code] = await once(spawn('unshare', words, { stdio: 'inherit' }), 'close')
  process.exitCode = code
} else {
  console.log(
    'Not run with the addresses themselves: it needs unshare and ip (apt-get install iproute2), and root',
  )
  await run(0)
  if (process.env['CI']) process.exitCode = 1
}
