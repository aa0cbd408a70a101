import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { catalogue } from '../../contracts/catalogue.ts'
import { startReceiver } from '../receivers/receiver.ts'
import { judged } from '../support/judged-receiver.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookbench-process-'))

afterAll(() => rmSync(folder, { recursive: true }))

async function given(check: string) {
  const file = join(folder, 'given')
  const note = (what: string) => `echo "${what} $HOOKBENCH_SERVICE_URL $HOOKBENCH_NOW" >> '${file}'`
  let service = ''
  const { results } = await judged({
    checks: catalogue.filter(({ id }) => id === check),
    async start(options) {
      service = options.service.url
      return { ...(await startReceiver(options)), process: { stop: note('stop'), start: note('start') } }
    },
  })
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return {
    finding: results[0]?.finding,
    lines: lines.map((line) => line.replace(service, 'SERVICE').trimEnd()),
  }
}

test("a receiver is restarted at the service's time days later, and at the real time at the end", async () => {
  const { finding, lines } = await given('idempotency/late-repetition')

  expect(lines).toEqual([
    'stop SERVICE',
    expect.stringMatching(/^start SERVICE \d{4}-\d\d-\d\dT[\d:.]+Z$/),
    'stop SERVICE',
    'start SERVICE',
  ])
  const days = (Date.parse(lines[1]?.split(' ')[2] ?? '') - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(1.9)
  expect(days).toBeLessThan(2.1)
  expect(finding).toEqual({
    kind: 'passed',
    unobserved: expect.stringMatching(
      /^a repetition later than \d+ s after the first delivery, or than 48 hours by its clock if that begins at HOOKBENCH_NOW$/,
    ),
  })
})
