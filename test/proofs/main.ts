import { globSync } from 'node:fs'
import { dirname } from 'node:path'

const name = process.argv[2] ?? ''
const names = globSync('*/main.ts', { cwd: import.meta.dirname })
  .map((path) => dirname(path))
  .toSorted()

if (names.includes(name)) {
  process.argv.splice(2, 1)
  await import(`./${name}/main.ts`)
} else {
  console.error(`Cannot run proof "${name}": name one of ${names.join(', ')}`)
  process.exitCode = 2
}
