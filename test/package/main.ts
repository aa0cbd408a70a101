import { readOptions } from '../support/script-options.ts'
import { compilerTrials } from './compilers.ts'
import { nodeTrials } from './nodes.ts'
import { openPlace } from './place.ts'
import { publishedTrials, writeTable } from './published.ts'

const USAGE = `npm run test:package                   the package as it would be published, from an empty folder
npm run test:package -- --only TEXT    what has that in its name
npm run test:package -- --keep         writes what was measured into the page`

const { values } = readOptions({
  usage: USAGE,
  options: { only: { type: 'text', default: '' }, keep: { type: 'flag' } },
})

const place = openPlace()
const failures: string[] = []
const trials = [...publishedTrials(), ...compilerTrials(), ...nodeTrials()].filter(({ name }) =>
  name.includes(values.only),
)
try {
  for (const { name, run } of trials) {
    try {
      await run(place)
      console.log(`ok: ${name}`)
    } catch (error) {
      failures.push(name)
      console.error(`FAILED: ${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (values.keep) await writeTable(place)
} finally {
  place.remove()
}
console.log(`${trials.length - failures.length} passed, ${failures.length} failed`)
if (failures.length > 0 || trials.length === 0) process.exitCode = 1
