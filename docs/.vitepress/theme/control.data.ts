import { readFileSync } from 'node:fs'
import { listTryOperations, type TryOperation } from './control-operations.ts'

const DOCUMENT = new URL('../../../spec/generated/control.json', import.meta.url)

declare const data: readonly TryOperation[]
export { data }

/** Loads the operations when the site is built. The page gets only the fields that it shows. */
export default { load: () => listTryOperations(JSON.parse(readFileSync(DOCUMENT, 'utf8'))) }
