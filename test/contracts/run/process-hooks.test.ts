import { expect, test } from 'vitest'
import { createProcessHooks } from '../../../contracts/run/process-hooks.ts'
import { ProbeError } from '../../../contracts/toolkit/ports.ts'
import { openContext } from '../support/check-context.ts'
import type { Receive } from '../support/scripted-receiver.ts'

/** Opens process hooks with a fake shell that records commands. The commands in `refused` fail. */
async function open(
  refused: readonly string[] = [],
  receive: Receive = () => ({ status: 204 }),
  isListening = async (_now: number) => false,
) {
  const commands: string[] = []
  const shell = {
    async run(command: string, { environment = {} }: { readonly environment?: object } = {}) {
      commands.push(Object.keys(environment).length === 0 ? command : `${command} later`)
      if (refused.includes(command)) throw new ProbeError(`Cannot run process.${command}`)
      return ''
    },
  }
  let now = 0
  const ports = {
    options: { process: { stop: 'stop', start: 'start' } },
    shell,
    isListening: () => isListening(now),
    elapsed: () => now,
    async pause(ms: number) {
      now += ms
    },
  }
  const notes: string[] = []
  const context = { ...(await openContext({ receive })), note: (text: string) => void notes.push(text) }
  return { ...createProcessHooks(() => context, ports, { interfered() {} }), commands, notes, now: () => now }
}

test('a process start waits up to two seconds until the stopped process frees its port', async () => {
  const freedAt = async (ms: number) => {
    const { stop, now } = await open([], undefined, async (time) => time < ms)
    await stop()
    return now()
  }

  expect([await freedAt(0), await freedAt(300), await freedAt(Infinity)]).toEqual([0, 300, 2_000])
})

test.each<
  readonly [what: string, refused: readonly string[], starts: readonly string[], commands: readonly string[]]
>([
  ['starts a receiver process that a check left stopped', [], [], ['stop', 'start']],
  [
    'restarts a receiver process at the real time when a check changed its clock',
    [],
    ['2031-01-01T00:00:00.000Z'],
    ['stop', 'start later', 'stop', 'start'],
  ],
  ['reports no failing process command again', ['start'], [], ['stop', 'start']],
])('the cleanup %s', async (_, ...[refused, starts, expected]) => {
  const { stop, start, close, commands } = await open(refused)

  await stop()
  for (const now of starts) await start({ now })

  await expect(close()).resolves.toBeUndefined()
  expect(commands).toEqual(expected)
})

test('a restarted receiver counts as available when it responds, even if old connections stay open', async () => {
  const replies = [{ reason: 'reset' }, { reason: 'closed_without_response' }, { status: 204 }]
  const { stop, start } = await open([], () => replies.shift() ?? { reason: 'reset' })

  await stop()
  await start()

  expect(replies).toEqual([])
})
