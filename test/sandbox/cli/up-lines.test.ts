import { stripVTControlCharacters } from 'node:util'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { printError, printWorldEvents, reportStorage } from '../../../sandbox/cli/up-lines.ts'
import { StorageError } from '../../../sandbox/engine/state/storage-error.ts'
import { defaultCredentials } from '../../../sandbox/engine/core/settings.ts'
import { ATTEMPT, JOB } from '../../support/control-records.ts'

test('printError() prints the error about an unusable store in one line and a bug with its stack', () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  const bug = new Error('a bug')
  printError('world "anna"', new StorageError('damaged', 'Cannot read world "anna": entry 1 is missing'))
  printError('world "anna"', bug)
  expect(print.mock.calls).toEqual([
    ['hookbench: Cannot read world "anna": entry 1 is missing'],
    ['hookbench: world "anna" failed:', bug.stack],
  ])
})

const world = (name: string) => ({
  name,
  credentials: defaultCredentials,
  clock: { mode: 'manual', speed: 0, now: () => 0 } as const,
})

function listen(): readonly string[] {
  const lines: string[] = []
  const take = (text: string) => void lines.push(...stripVTControlCharacters(text).split('\n'))
  for (const name of ['log', 'error'] as const) vi.spyOn(console, name).mockImplementation(take)
  onTestFinished(() => void vi.restoreAllMocks())
  return lines
}

const LINES = [
  ['default', '→ items', '  items changed', 'npx hookbench register URL --type items --data mine'],
  [
    'anna',
    '[anna] → items',
    '[anna]   items changed',
    'npx hookbench register URL --type items --data mine --world anna',
  ],
] as const

test.each(LINES)('the text lines of `up` about the world %s name it, unless it is the default', (...row) => {
  const [name, attempt, unsubscribed, command] = row
  const lines = listen()
  const events = printWorldEvents({ json: false, data: 'mine' })

  events.onAttempt(JOB, ATTEMPT, world(name))
  events.onUnsubscribed({ object_type: 'items', generation: 'webhooks' }, world(name))
  expect(lines.map((line, index) => line.startsWith([attempt, unsubscribed][index] ?? '?'))).toEqual([
    true,
    true,
  ])
  expect(lines[1]).toMatch(new RegExp(`: ${command}$`))
})

test('the command "up" reports a full disk and its recovery once for all worlds, not once per world', () => {
  const lines = listen()
  const full = new StorageError('full', 'The disk is full')

  const ends = ['anna', 'default'].map((name) => reportStorage(full, world(name)))
  for (const name of ['anna', 'default']) reportStorage(undefined, world(name))

  expect(lines).toEqual([
    'hookbench: The disk is full. The sandbox rejects changes, and sends nothing until the disk has space',
    'hookbench: The store is writable again. The sandbox accepts changes, and sends due notifications',
  ])
  expect(ends).toEqual([false, false])
})

test('the sandbox ends when its store was deleted', () => {
  const lines = listen()
  const gone = new StorageError('gone', 'The store was deleted')

  const ends = ['anna', 'default'].map((name) => reportStorage(gone, world(name)))

  expect([ends, lines]).toEqual([[false, true], []])
})

test.each([
  ['default', undefined],
  ['anna', 'anna'],
])('the JSON lines of `up` about the world %s name it, unless it is the default world', (name, named) => {
  const lines = listen()
  const events = printWorldEvents({ json: true, data: 'mine' })

  events.onAttempt(JOB, ATTEMPT, world(name))
  events.onUnsubscribed({ object_type: 'items', generation: 'webhooks' }, world(name))

  const printed: readonly { event: string; world?: string }[] = lines.map((line) => JSON.parse(line))
  expect(printed.map((line) => [line.event, line.world])).toEqual([
    ['attempt', named],
    ['unsubscribed', named],
  ])
})

const MODULE = new URL('../../../sandbox/cli/stop-signals.ts', import.meta.url).href

const program = (whenReady: string) => `
  import { untilStopped } from ${JSON.stringify(MODULE)}
  setInterval(() => console.log('alive'), 20)
  const stopped = untilStopped()
  console.log('ready')
  ${whenReady}
  await stopped
  console.log('stopping')
`

function start(whenReady = '') {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program(whenReady)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  let said = ''
  child.stdout.setEncoding('utf8')
  const hears = async (text: string) => {
    while (!said.includes(text)) {
      const [piece] = await once(child.stdout, 'data')
      said += String(piece)
    }
    said = ''
  }
  return { child, ended, hears }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('a second %s ends a closing program', async (signal) => {
  const { child, ended, hears } = start()
  await hears('ready')
  child.kill(signal)
  await hears('stopping')

  // The program treats an early second signal as npm's copy of the first signal. So the test repeats the second signal.
  const again = setInterval(() => child.kill(signal), 50)
  const [code, by] = await ended
  clearInterval(again)

  expect([code, by]).toEqual([null, signal])
})

test('the duplicate signal that npm sends is ignored', async () => {
  const { child, ended, hears } = start(`
    process.kill(process.pid, 'SIGINT')
    process.kill(process.pid, 'SIGTERM')
  `)
  await hears('stopping')
  await hears('alive')

  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
})
