import { afterAll, beforeAll, describe } from 'vitest'
import { describeLog } from '../../../support/log-suite.ts'
import { postgresDriver } from '../../../support/postgres-worlds.ts'
import { startPostgres, type PostgresServer } from '../../../support/postgres.ts'
import { describeStore } from '../../../support/store-suite.ts'

describe('with a server of PostgreSQL', { tags: 'postgresql' }, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  const driver = postgresDriver(() => server)
  describeLog(driver)
  describeStore(driver)
})
