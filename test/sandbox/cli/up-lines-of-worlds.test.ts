import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { printWorldEvents, reportStorage } from '../../../sandbox/cli/up-lines.ts'
import { defaultCredentials } from '../../../sandbox/engine/core/settings.ts'
import { StorageError } from '../../../sandbox/engine/state/storage-error.ts'
import { ATTEMPT, JOB } from '../../support/attempt-records.ts'

const world = (name: string) => ({
  name,
  credentials: defaultCredentials,
  clock: { mode: 'manual', speed: 0, now: () => 0 } as const,
})

/** What is printed meanwhile, line by line. */
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

test.each(LINES)('lines of up about world %s name it unless it is the default one', (...row) => {
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

test('up reports a full store and its end once for all worlds', () => {
  const lines = listen()
  const full = new StorageError('full', 'The disk is full')

  const ends = ['anna', 'default'].map((name) => reportStorage(full, world(name)))
  for (const name of ['anna', 'default']) reportStorage(undefined, world(name))

  expect(lines).toEqual([
    'hookbench: The disk is full; changes are refused and nothing is sent until there is room',
    'hookbench: The store can be written again: changes are taken, and what is due is sent',
  ])
  expect(ends).toEqual([false, false])
})

test('a store that is gone ends the sandbox', () => {
  const lines = listen()
  const gone = new StorageError('gone', 'The store was deleted')

  const ends = ['anna', 'default'].map((name) => reportStorage(gone, world(name)))

  expect([ends, lines]).toEqual([[false, true], []])
})

test.each([
  ['default', undefined],
  ['anna', 'anna'],
])('JSON lines of up about world %s name it unless it is the default one', (name, named) => {
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
