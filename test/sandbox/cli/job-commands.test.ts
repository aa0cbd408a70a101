import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { diffLines, formatJob, formatJobs, heldLines } from '../../../sandbox/cli/job-commands.ts'
import type { Perform } from '../../../sandbox/compose/perform.ts'
import type { JobDetail } from '../../../spec/generated/control-types.ts'
import { attempt, job } from '../../support/control-records.ts'
import { testSandbox } from '../../support/test-sandbox.ts'

const FLAGS = { data: '.hookbench', limit: 20 }

test('formatJobs() says how many jobs are older and younger than the page, and how to see them', () => {
  const text = formatJobs({ jobs: [], older: 7, next_cursor: '9' }, FLAGS)

  expect(text).toBe('7 older: npx hookbench jobs --cursor 0\nNo jobs\nMore: npx hookbench jobs --cursor 9')
  expect(formatJobs({ jobs: [], older: 0, next_cursor: null }, FLAGS)).toBe('No jobs')
})

test('formatJobs() keeps the filter in what it says', () => {
  const flags = {
    data: 'mine',
    limit: 5,
    status: 'failed',
    type: 'items',
    object: 'x',
    generation: 'webhooks',
  } as const

  expect(formatJobs({ jobs: [], older: 1, next_cursor: null }, flags)).toContain(
    'npx hookbench jobs --status failed --type items --object x --generation webhooks --limit 6 --data mine',
  )
})

test('formatJobs() goes back to the page just before', () => {
  const text = formatJobs({ jobs: [], older: 50, next_cursor: null }, FLAGS)

  expect(text).toBe('50 older: npx hookbench jobs --cursor 30\nNo jobs')
})

test('formatJobs() prints whole ids where that is asked for', () => {
  const page = { jobs: [job({ object_id: '0123456789ab' })], older: 0, next_cursor: null }

  expect(formatJobs(page, FLAGS)).toContain('items 01234567…')
  expect(formatJobs(page, { ...FLAGS, wide: true })).toMatch(
    / MADE .*\n.* 2026-01-01T\S+ .*items 0123456789ab /,
  )
})

test.each([
  [
    'held by a fault',
    [{ what: 'held_by_fault', count: 2 }],
    ['2 held back by a fault (npx hookbench faults --data mine)'],
  ],
  ['under way', [{ what: 'attempts', count: 2 }], []],
] as const)('heldLines() says what is due and %s', async (...[, waiting_for, lines]) => {
  const now = '2026-01-01T00:00:00.000Z'
  const answers = { getClock: { mode: 'manual', speed: 0, now }, settle: { settled: false, waiting_for } }
  const perform = ((id: keyof typeof answers) => Promise.resolve(answers[id])) as unknown as Perform
  const due = job({ status: 'pending', next_due_at: now })

  expect(await heldLines([due], perform, { data: 'mine' })).toEqual(lines)
  expect(
    await heldLines([{ ...due, next_due_at: '2026-01-01T00:05:00.000Z' }], perform, { data: 'mine' }),
  ).toEqual([])
})

test('the control API says how many jobs are older than the newest page', async () => {
  const sandbox = testSandbox()
  await sandbox.register()
  for (let count = 0; count < 3; count++) await sandbox.control('POST', '/objects/items', {})

  const [newest, oldest] = await Promise.all([
    sandbox.control('GET', '/jobs?limit=2'),
    sandbox.control('GET', '/jobs?limit=2&cursor=0'),
  ])

  expect([newest.body.older, newest.body.jobs.length, oldest.body.older]).toEqual([1, 2, 0])
})

test.each([
  ['snapshot', ['pending']],
  ['current', ['pending', 'completed']],
])('formatJob() prints the bodies that differ: with %s those of %j', async (reading, states) => {
  const sandbox = testSandbox({
    readings: { 'retry-body': reading },
    script: (_, index) => (index === 0 ? 200 : 503),
  })
  await sandbox.register()
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  await sandbox.control('PATCH', `/objects/items/${item.id}`, { state: 'completed' })
  await sandbox.advance(sandbox.context.now() + 300_000)
  const { body: page } = await sandbox.control('GET', '/jobs')
  const { body } = await sandbox.control('GET', `/jobs/${page.jobs[0].id}`)

  const text = stripVTControlCharacters(formatJob(body as JobDetail))

  expect([...text.matchAll(/"state":"(\w+)"/g)].map(([, state]) => state)).toEqual(states)
  expect(text.includes('Sent from attempt 2 on:')).toBe(states.length === 2)
})

test('formatJobs() distinguishes the callback of an object from its webhook', async () => {
  const sandbox = testSandbox()
  await sandbox.register()
  await sandbox.call('POST', '/callbacks', { url: 'https://localhost:9443/callbacks', object_type: 'items' })
  await sandbox.control('POST', '/objects/items', {})
  const { body: page } = await sandbox.control('GET', '/jobs')

  const rows = stripVTControlCharacters(formatJobs(page, FLAGS)).split('\n')

  expect(new Set(rows.map((line) => line.trim().split(/\s+/)[1]))).toEqual(
    new Set(['BY', 'callback', 'webhook']),
  )
})

test('what was sent is compared with what the object says now', () => {
  const sent = attempt({ request: { headers: [], body: '{"items":{"state":"pending","a":1}}' } })
  const compare = (current_body: string | null, attempts = [sent]) =>
    diffLines({ job: job(), attempts, current_body }).slice(1)

  expect(compare('{"items":{"state":"completed"}}')).toEqual([
    'What was sent → what the object says now:',
    '  items.state: "pending" → "completed"',
    '  items.a: 1 → nothing',
  ])
  expect(compare(sent.request.body)).toEqual(['What was sent says what the object says now'])
  expect(compare(null)).toEqual(['The object is gone: there is nothing to compare with'])
  expect(compare('{}', [])).toEqual(['Nothing was sent yet that could be compared'])
  expect(compare('none')).toEqual(['What was sent is not JSON: there are no fields to compare'])
  expect(diffLines({ job: job(), attempts: [sent] })).toEqual([])
})
