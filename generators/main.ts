import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { generate } from './generate.ts'
import { findStale } from './generated-file.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const FOLDER = 'spec/generated'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const files = await generate()
const present = existsSync(join(ROOT, FOLDER))
  ? readdirSync(join(ROOT, FOLDER)).map((name) => `${FOLDER}/${name}`)
  : []
const out = findStale(files, read, present)

if (values.check) {
  for (const path of out) console.error(`Stale: ${path}`)
  if (out.length > 0) {
    console.error('Cannot accept generated files: run `npm run generate`')
    process.exitCode = 1
  }
} else {
  mkdirSync(join(ROOT, FOLDER), { recursive: true })
  for (const path of out) {
    const file = files.find((candidate) => candidate.path === path)
    if (file) writeFileSync(join(ROOT, path), file.text)
    else rmSync(join(ROOT, path))
  }
  console.log(out.length === 0 ? 'Generated files are up to date' : `Wrote ${out.join(', ')}`)
}

function read(path: string): string | undefined {
  return existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : undefined
}
