import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Clock, JobDetail, JobPage } from '../../spec/generated/control-types.ts'
import { openProcessShop } from '../support/process-shop.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { findFakeTime } from '../support/tools.ts'

const HOUR = 3_600_000

test(
  'a wall clock that is set back an hour, a day ahead or to 2038 moves no clock and no retry',
  { tags: 'faketime' },
  async () => {
    const file = join(temporaryFolder(), 'time')
    writeFileSync(file, '+0\n')
    const shop = openProcessShop({
      LD_PRELOAD: findFakeTime() ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    })
    onTestFinished(() => shop.close())
    await shop.up()
    const receiver = await shop.receiver()
    await shop.register(receiver.url)
    receiver.answers.push(500)
    await shop.create(1)
    await shop.settle()
    const read = async () => Date.parse((await shop.control<Clock>('GET', '/clock')).now)
    const startedAt = performance.now()
    const shown = [await read()]

    for (const change of ['-1h', '+25h', '@2038-01-19 03:14:06']) {
      writeFileSync(file, `${change}\n`)
      shown.push(await read())
      await shop.create(1)
      await shop.settle()
    }

    const passed = performance.now() - startedAt
    expect(shown).toEqual(shown.toSorted((a, b) => a - b))
    expect((shown.at(-1) ?? 0) - (shown[0] ?? 0)).toBeLessThanOrEqual(passed + 2)
    expect(await shop.ends()).toEqual([[500], [204], [204], [204]])
    const { jobs } = await shop.control<JobPage>('GET', '/jobs')
    const times = await Promise.all(
      jobs.map(async ({ id }) => {
        const { attempts } = await shop.control<JobDetail>('GET', `/jobs/${id}`)
        return Date.parse(attempts[0]?.started_at ?? '')
      }),
    )
    expect(times.some(Number.isNaN)).toBe(false)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(Date.parse(jobs[0]?.next_due_at ?? '') - (shown[0] ?? 0)).toBeLessThan(HOUR)
  },
)
