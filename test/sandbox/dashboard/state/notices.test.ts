import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import { RefusedError } from '../../../../sandbox/client/requests.ts'
import { createNotices } from '../../../../sandbox/dashboard/state/notices.ts'
import { testPage } from '../page-ports.ts'

const PLACE = { target: signal({}), startLine: signal('npx hookbench up') }

test('a success notice expires, and a failure notice stays until its dismissal', () => {
  const page = testPage()
  const notices = createNotices(page.after, PLACE)
  notices.say('done', 'Sent')
  notices.sayError(new RefusedError('Cannot find job "x"', { hint: 'list them', command: 'jobs' }))

  page.pass(60_000)
  const left = notices.list.value
  notices.dismiss(left[0]?.id ?? 0)

  expect(left).toMatchObject([
    { kind: 'failed', text: 'Cannot find job "x"', remedy: 'list them: npx hookbench jobs' },
  ])
  expect(notices.list.value).toEqual([])
})

test('a repeated notice replaces the earlier notice', () => {
  const notices = createNotices(() => () => {}, PLACE)
  for (const text of ['gone', 'other', 'gone']) notices.say('failed', text)

  expect(notices.list.value.map(({ text }) => text)).toEqual(['other', 'gone'])
})

test('the page shows only the newest notices', () => {
  const notices = createNotices(() => () => {}, PLACE)
  for (let index = 0; index < 9; index++) notices.say('failed', String(index))

  expect(notices.list.value.map(({ text }) => text)).toEqual(['5', '6', '7', '8'])
})
