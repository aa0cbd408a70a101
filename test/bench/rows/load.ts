import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openDataFolder } from '../../../sandbox/adapters/data-folder.ts'
import { packProgram } from '../package.ts'
import { processorMs } from '../processor-time.ts'
import { startReceiver } from '../receiver.ts'
import type { Row } from '../row.ts'

const RATE = 2_000
const FOR_S = 10
/** The minimum measured duration of a load in milliseconds, excluding its start and end. */
const MIN_MS = 1_000

interface Report {
  readonly offered: number
  readonly accepted: number
  readonly took_ms: number
  readonly latency: { readonly p99_ms: number }
  readonly sender: {
    readonly lag: { readonly p99_ms: number }
    readonly limits: readonly { readonly kind: string }[]
  }
}

export const LOAD: Row = {
  id: 'load',
  what: `notifications per second that \`hookbench load --rate ${RATE} --mix items\` sends to a bare HTTPS receiver, divided by the requested rate. The result is 0 if the sender itself limited the rate`,
  unit: '',
  better: 'more',
  bar: 0.98,
  instead: 'a load generator that sends requests about objects that do not exist',
  profile: `The sender, the sandbox and the receiver share two cores. The sender keeps 2,000 objects alive, so a receiver that fetches an object gets the same state as in the notification. Objects that \`load\` creates in waves are late: 82 to 236 ms at 2,000 a second on an AMD machine, 37 to 40 ms at 1,000. With 500 live objects, or when the first objects finish early, the results did not clearly change.`,
  async measure({ folder }) {
    const { path: data } = openDataFolder(join(mkdtempSync(join(folder, 'load-')), 'data'))
    const [program, receiver] = [packProgram(folder), await startReceiver(data)]
    try {
      const { report, share } = await runLoad(program, data, `${receiver.origin}/notifications/items`)
      const { accepted, took_ms, latency, sender } = report
      const value = (accepted / Math.max(took_ms, FOR_S * 1_000)) * (1_000 / RATE)
      const limits = sender.limits.map(({ kind }) => kind).join(', ')
      const detail =
        `the receiver accepted ${accepted} notifications in ${(took_ms / 1_000).toFixed(2)} s. At the 99th percentile, a notification was ready ${sender.lag.p99_ms.toFixed(1)} ms and answered ` +
        `${latency.p99_ms.toFixed(1)} ms after its due time. The sender used ${Math.round(share * 100)} % of a processor` +
        (limits === '' ? '' : `. The limit of the sender was its ${limits}`)
      return { value: limits === '' ? value : 0, detail }
    } finally {
      await receiver.end()
    }
  },
}

async function runLoad(
  program: string,
  data: string,
  url: string,
): Promise<{ readonly report: Report; readonly share: number }> {
  const what = ['--rate', String(RATE), '--for', `${FOR_S}s`, '--mix', 'items', '--no-calls-back']
  const args = [program, 'load', url, ...what, '--port', '0', '--data', data, '--json']
  const child = spawn(process.execPath, args, { cwd: data, stdio: ['ignore', 'pipe', 'pipe'] })
  const seen: { readonly at: number; readonly processorMs: number }[] = []
  let said = ''
  child.stderr.on('data', (piece: Buffer) => {
    said += piece.toString()
    seen.push({ at: performance.now(), processorMs: processorMs(child.pid ?? 0) })
  })
  const printed = await text(child.stdout)
  const [first, last] = [seen[1], seen.at(-2)]
  if (!printed.startsWith('{') || !first || !last || last.at - first.at < MIN_MS)
    throw new Error(`Cannot measure: hookbench load said: ${said}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the command prints a report of this type
  const report = JSON.parse(printed) as Report
  return { report, share: (last.processorMs - first.processorMs) / (last.at - first.at) }
}
