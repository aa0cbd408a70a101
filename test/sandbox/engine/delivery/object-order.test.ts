import { expect, test } from 'vitest'
import type { HttpMessage, Outcome } from '../../../../sandbox/engine/core/ports.ts'
import { registeredSandbox, testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'

const NO_SOCKETS: Outcome = { kind: 'unanswered', reason: 'out_of_resources', message: 'No sockets' }

const nameOf = ({ body }: HttpMessage): string => JSON.parse(Buffer.from(body).toString('utf8')).items?.name

/** Returns the item names in the sent notifications, without the test POST. */
const posted = ({ transport }: TestSandbox): string[] => transport.messages.slice(1).map(nameOf)

async function create({ control }: TestSandbox, name: string): Promise<string> {
  const { body } = await control('POST', '/objects/items', { name })
  return body.id
}

async function rename({ control }: TestSandbox, id: string, ...names: readonly string[]): Promise<void> {
  for (const name of names) await control('PATCH', `/objects/items/${id}`, { name })
}

function slowReceiver() {
  const answers = new Map<string, (answer: number | Outcome) => void>()
  return {
    answer: (name: string, answer: number | Outcome = 200) => answers.get(name)?.(answer),
    script: (message: HttpMessage) => {
      const name = nameOf(message)
      if (!name?.startsWith('Slow')) return 200
      return new Promise<number | Outcome>((resolve) => answers.set(name, resolve))
    },
  }
}

test('a slow attempt of an object does not block other objects', async () => {
  const { script, answer } = slowReceiver()
  const sandbox = await registeredSandbox((_, message) => script(message))
  const slow = await create(sandbox, 'Slow 1')
  await rename(sandbox, slow, 'Slow 2', 'Slow 3')
  const others = Array.from({ length: 50 }, (_, index) => `Other ${index}`)
  for (const name of others) await create(sandbox, name)

  await expect.poll(() => sandbox.attempts.length).toBe(50)
  expect(posted(sandbox)).toEqual(['Slow 1', ...others])
  for (const [index, name] of ['Slow 1', 'Slow 2', 'Slow 3'].entries()) {
    await expect.poll(() => posted(sandbox).at(-1)).toBe(index === 0 ? 'Other 49' : name)
    answer(name)
  }
  await sandbox.idle()
  expect(posted(sandbox).slice(51)).toEqual(['Slow 2', 'Slow 3'])
})

test('a job that waited for another job of the same object starts before jobs that were triggered later', async () => {
  const { script, answer } = slowReceiver()
  const sandbox = await registeredSandbox((_, message) => script(message))
  const first = await create(sandbox, 'Slow first')
  await rename(sandbox, first, 'First again')
  for (let number = 0; number < 63; number++) await create(sandbox, `Slow ${number}`)
  await create(sandbox, 'Triggered last')

  answer('Slow first')

  await expect.poll(() => posted(sandbox).slice(64)).toEqual(['First again', 'Triggered last'])
})

test('an attempt that gets no socket delays only jobs for the same object', async () => {
  let starved = true
  const sandbox = testSandbox({
    script: (message) => (starved && nameOf(message)?.startsWith('First') ? NO_SOCKETS : 200),
  })
  await sandbox.register()
  const id = await create(sandbox, 'First 1')
  await rename(sandbox, id, 'First 2', 'First 3')
  await create(sandbox, 'Other')
  await sandbox.idle()

  expect(posted(sandbox)).toEqual(['First 1', 'Other'])
  sandbox.realTime.move(1_000)
  await expect.poll(() => posted(sandbox)).toEqual(['First 1', 'Other', 'First 1'])
  starved = false
  await expect
    .poll(() => {
      sandbox.realTime.move(1_000)
      return posted(sandbox).slice(3)
    })
    .toEqual(['First 1', 'First 2', 'First 3'])
})

test('the next job of an object is sent when the waiting job of the object is cancelled', async () => {
  const sandbox = testSandbox({
    script: (message) => (nameOf(message) === 'First' ? NO_SOCKETS : 200),
    readings: { 'pending-retries': 'follow-registration' },
  })
  const uuid = await sandbox.register()
  const id = await create(sandbox, 'First')
  await sandbox.idle()
  await sandbox.call('PATCH', `/webhooks/${uuid}`, { enabled: false })
  sandbox.realTime.move(1_000)
  await sandbox.idle()
  await sandbox.call('PATCH', `/webhooks/${uuid}`, { enabled: true })

  await rename(sandbox, id, 'Second')

  await expect.poll(() => posted(sandbox)).toEqual(['First', 'Second'])
})

test('a retry blocks no other job', async () => {
  const { script } = slowReceiver()
  const sandbox = testSandbox({
    script: (message) =>
      nameOf(message) === 'Slow' && sandbox.attempts.length === 0 ? 500 : script(message),
  })
  await sandbox.register()
  const id = await create(sandbox, 'Slow')
  await sandbox.idle()
  sandbox.context.clock.moveTo(sandbox.context.clock.now() + 5 * 60_000)
  await expect.poll(() => posted(sandbox)).toEqual(['Slow', 'Slow'])

  await rename(sandbox, id, 'Second')
  await create(sandbox, 'Other')

  await expect.poll(() => posted(sandbox).slice(2)).toEqual(['Second', 'Other'])
})
