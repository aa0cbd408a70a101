import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { formatJob, formatJobs } from '../../../sandbox/cli/job-commands.ts'
import type { JobDetail } from '../../../spec/generated/control-types.ts'
import { job } from '../../support/control-records.ts'
import { testSandbox } from '../../support/test-sandbox.ts'

const FLAGS = { data: '.hookbench', limit: 20 }

test('formatJobs() prints the commands for the previous and the next page', () => {
  const text = formatJobs({ jobs: [], older: 7, next_cursor: '9' }, FLAGS)

  expect(text).toBe('7 older: npx hookbench jobs --cursor 0\nNo jobs\nMore: npx hookbench jobs --cursor 9')
  expect(formatJobs({ jobs: [], older: 0, next_cursor: null }, FLAGS)).toBe('No jobs')
})

test('formatJobs() includes the filter flags in the printed commands', () => {
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

test('formatJobs() prints full IDs when the flag for wide output is set', () => {
  const page = { jobs: [job({ object_id: '0123456789ab' })], older: 0, next_cursor: null }

  expect(formatJobs(page, FLAGS)).toContain('items 01234567…')
  expect(formatJobs(page, { ...FLAGS, wide: true })).toMatch(
    / MADE .*\n.* 2026-01-01T\S+ .*items 0123456789ab /,
  )
})

test.each([
  ['snapshot', ['pending']],
  ['current', ['pending', 'completed']],
])('formatJob() prints each distinct body if the reading "retry-body" is %s: %j', async (reading, states) => {
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
