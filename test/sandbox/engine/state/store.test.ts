import { memoryDriver, scratchDriver, sqliteDriver } from '../../../support/log-drivers.ts'
import { describeLog } from '../../../support/log-suite.ts'
import { describeStore } from '../../../support/store-suite.ts'

for (const driver of [memoryDriver, scratchDriver, sqliteDriver]) {
  describeLog(driver)
  describeStore(driver)
}
