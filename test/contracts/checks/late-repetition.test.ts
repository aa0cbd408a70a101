import { expect, test } from 'vitest'
import type { CheckContext } from '../../../contracts/toolkit/check-context.ts'
import { careful } from '../support/careful.ts'
import { asking } from '../support/careless.ts'
import { openContext } from '../support/check-context.ts'
import type { Receive } from '../support/scripted-receiver.ts'
import { checkNamed } from '../support/verdicts.ts'

const late = checkNamed('idempotency/late-repetition')
const restarted = checkNamed('idempotency/again-after-restart')

/** Runs a check. Records each wait, stop and start that the check requests. */
async function watched(check: typeof late, receive: Receive, hasProcess = true) {
  const context = await openContext({ receive, observe: { process: hasProcess } })
  const notes: string[] = []
  const start: CheckContext['process']['start'] = async ({ now } = {}) => {
    notes.push(now === undefined ? 'start' : `start at ${now}`)
    await context.process.start()
  }
  const stop = async () => {
    notes.push('stop')
    await context.process.stop()
  }
  let elapsed = 0
  const finding = await check.run({
    ...context,
    elapsed: () => elapsed,
    async restOfRun(leastMs) {
      notes.push(`at least ${leastMs}`)
      elapsed += 83_200
    },
    process: { ...context.process, start, stop },
  })
  return { finding, notes }
}

function forgetting(isOver: () => boolean): Receive {
  return (request, desk) => (isOver() ? asking({ again: true })(request, desk) : careful(request, desk))
}

test('the check idempotency/late-repetition reports the delay of the last observed duplicate and lists the later ones as unobserved', async () => {
  const { finding, notes } = await watched(late, careful)

  expect(finding).toEqual({
    kind: 'passed',
    unobserved:
      'a repetition more than 83 s after the first delivery, or more than 48 hours later if the receiver reads its time from HOOKBENCH_NOW',
  })
  expect(notes).toEqual([
    'at least 5000',
    'stop',
    expect.stringMatching(/^start at \d{4}-\d\d-\d\dT[\d:.]+Z$/),
    'stop',
    'start',
  ])
})

test('the check idempotency/late-repetition names the settings with which the check can move the receiver clock by days', async () => {
  const { finding, notes } = await watched(late, careful, false)

  expect(finding).toMatchObject({
    kind: 'passed',
    unobserved: expect.stringContaining('83 s after the first delivery; with process.stop and process.start'),
  })
  expect(notes).toEqual(['at least 5000'])
})

test('the check idempotency/late-repetition fails a receiver that forgets deliveries before the run ends', async () => {
  const seen = new Map<string, number>()
  const receive: Receive = (request, desk) => {
    const times = (seen.get(request.body) ?? 0) + 1
    seen.set(request.body, times)
    return forgetting(() => times > 1)(request, desk)
  }

  const { finding } = await watched(late, receive, false)

  expect(finding).toMatchObject({
    kind: 'failed',
    expected: expect.stringContaining('notification was sent again 83 s after the first delivery'),
  })
})

test('the check idempotency/again-after-restart sends the duplicate immediately and at each retry time', async () => {
  const bodies = new Map<string, number>()
  const receive: Receive = (request, desk) => {
    bodies.set(request.body, (bodies.get(request.body) ?? 0) + 1)
    return careful(request, desk)
  }

  const { finding, notes } = await watched(restarted, receive)

  expect(finding.kind).toBe('passed')
  expect(notes).toEqual(['stop', 'start'])
  // Six requests have the same body: the first delivery, its duplicate, and retries after 5, 25, 105 and 425 minutes. The request
  // with another body is the test POST, which checks that the receiver is running again.
  expect(new Set(bodies.values())).toEqual(new Set([6, 1]))
})

test('the check idempotency/again-after-restart detects a second effect when a restart resets the effect counters', async () => {
  let forget = () => {}
  const receive: Receive = (request, desk) => {
    forget = () => desk.ledger.clear()
    return careful(request, desk)
  }
  const context = await openContext({ receive, observe: { process: true } })
  const stop = async () => forget()
  const finding = await restarted.run({ ...context, process: { ...context.process, stop } })

  expect(finding).toMatchObject({
    kind: 'failed',
    expected: expect.stringMatching(
      /^no effect for .* The receiver has counted its effects from zero since its last start$/,
    ),
    actual: expect.stringMatching(/^one effect/),
  })
})
