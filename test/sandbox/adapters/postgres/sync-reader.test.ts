import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { parsePostgresUrl } from '../../../../sandbox/adapters/postgres/place.ts'
import { createSyncReader } from '../../../../sandbox/adapters/postgres/sync-reader.ts'
import { describePostgres, kindOfRefusal } from '../../../support/postgres-tests.ts'

describePostgres('the reader that PostgreSQL keeps waiting', (bench) => {
  /** Two readers of one database, with a clock of their own that takes two tries to wait again, and a question without an answer. */
  async function openReaders() {
    const time = { now: 0 }
    const place = parsePostgresUrl(bench.server.url())
    const open = () => {
      const reader = createSyncReader(place, { patienceMs: 300, now: () => time.now })
      onTestFinished(reader.close)
      return (what: string) => reader.query(`SELECT ${what} AS answer`, [])[0]?.['answer']
    }
    const blocker = new Client({ connectionString: bench.server.url() })
    await blocker.connect()
    onTestFinished(() => blocker.end())
    await blocker.query('SELECT pg_advisory_lock(1)')
    const ask = open()
    return {
      ask,
      askOther: open(),
      waitInVain: () => kindOfRefusal(() => ask('pg_advisory_lock(1)::text')),
      letGo: () => blocker.query('SELECT pg_advisory_unlock(1)'),
      haveAnotherTry: () => (time.now += 200),
    }
  }

  test('gives each question its own answer', async () => {
    const { ask, waitInVain, letGo, haveAnotherTry } = await openReaders()
    const refused = await waitInVain()
    await letGo()

    const answers: unknown[] = []
    const askMore = () => {
      haveAnotherTry()
      const asked = answers.length
      return kindOfRefusal(() => answers.push(ask(`${asked}::int4`)))
    }
    for (let count = 0; count < 3; count++) await expect.poll(askMore).toBe('none')

    expect([refused, answers]).toEqual(['away', [0, 1, 2]])
  })

  test('keeps nobody waiting again at once', async () => {
    const { ask, askOther, waitInVain, letGo, haveAnotherTry } = await openReaders()
    await waitInVain()
    await letGo()

    const again = [await kindOfRefusal(() => ask('1')), await kindOfRefusal(() => askOther('1'))]
    const askLater = () => {
      haveAnotherTry()
      return kindOfRefusal(() => askOther('1'))
    }

    expect(again).toEqual(['away', 'away'])
    await expect.poll(askLater).toBe('none')
  })
})
