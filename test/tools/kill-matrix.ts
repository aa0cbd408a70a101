import { writeFileSync } from 'node:fs'
import { format } from 'prettier'
import { killMatrixPage } from '../support/kill-matrix.ts'

const page = new URL('../../contracts/reference-receiver/kill-matrix.md', import.meta.url)
writeFileSync(page, await format(killMatrixPage(), { parser: 'markdown', printWidth: 110 }))
