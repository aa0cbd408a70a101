import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keepFigure } from './page.ts'
import { isVoid, partRows } from './row.ts'
import { ROWS } from './rows.ts'
import { tableLine } from './table.ts'

/** Prints each row as soon as it is measured; `--keep` writes it into BENCHMARKS.md, too. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** How many the large store holds. */
    jobs: { type: 'string', default: '100000' },
    /** Writes the figures into BENCHMARKS.md. */
    keep: { type: 'boolean', default: false },
    /** Keeps the filled stores there for another time. */
    folder: { type: 'string' },
  },
})
const unknown = positionals.filter((id) => !ROWS.some((row) => row.id === id))
if (unknown.length > 0)
  throw new RangeError(`There is no row "${unknown[0]}": ${ROWS.map(({ id }) => id).join(', ')}`)
const chosen = positionals.length === 0 ? ROWS : ROWS.filter(({ id }) => positionals.includes(id))
const { left, lacking } = partRows(chosen)
for (const [what, ids] of lacking) console.log(`Left out are ${ids.join(', ')}: ${what}`)
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'hookbench-bench-'))
const options = { jobs: Number(values.jobs), folder }
try {
  for (const row of left) {
    const figure = await row.measure(options)
    console.log(tableLine(row, figure, options))
    if (values.keep && !isVoid(figure)) await keepFigure(ROWS, { row, figure, options })
  }
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true })
}
