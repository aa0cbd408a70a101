import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readOptions } from '../support/script-options.ts'
import { keepFigure } from './page.ts'
import { isVoid, tableLine } from './row.ts'
import { ROWS } from './rows.ts'

const USAGE = `npm run bench                         every row, each printed as soon as it is measured
npm run bench -- show disk            these rows
npm run bench -- --jobs 1000000       so many in the large store, in place of 100,000
npm run bench -- --keep               writes the figures into docs/internals/benchmarks.md`

const { values, names } = readOptions({
  usage: USAGE,
  options: {
    // There must be at least ten jobs, because one of the measured pages starts ten entries before the end of the list.
    jobs: { type: 'whole', least: 10, default: 100_000 },
    keep: { type: 'flag' },
  },
  names: { of: 'row', allowed: ROWS.map(({ id }) => id) },
})
const chosen = names.length === 0 ? ROWS : ROWS.filter(({ id }) => names.includes(id))
const folder = mkdtempSync(join(tmpdir(), 'hookbench-bench-'))
const options = { jobs: values.jobs, folder }
try {
  for (const row of chosen) {
    const figure = await row.measure(options)
    console.log(tableLine(row, figure))
    if (values.keep && !isVoid(figure)) await keepFigure(ROWS, { row, figure, options })
  }
} finally {
  rmSync(folder, { recursive: true })
}
