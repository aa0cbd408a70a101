import { afterAll, onTestFinished, TestRunner } from 'vitest'
import { openWorkshop } from './program.ts'

/** Opens a test folder. The folder is removed after the test or, if no test is running yet, after the tests of the file. */
export function useWorkshop(...options: Parameters<typeof openWorkshop>) {
  const shop = openWorkshop(...options)
  const atEnd = TestRunner.getCurrentTest() ? onTestFinished : afterAll
  atEnd(() => shop.close())
  return shop
}
