import { readFileSync } from 'node:fs'
import { listTryOperations, type TryOperation } from './control-operations.ts'

const DOCUMENT = new URL('../../../spec/generated/control.json', import.meta.url)

declare const data: readonly TryOperation[]
export { data }

/** Read when the site is built: of the document, a page takes what it shows. */
export default { load: () => listTryOperations(JSON.parse(readFileSync(DOCUMENT, 'utf8'))) }
