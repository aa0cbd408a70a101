import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { commandPages } from '../support/command-pages.ts'

// Writes the pages that are made of the help of the commands; with --check, says which are not as they would be written.
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const isCheck = process.argv.includes('--check')

for (const [path, text] of await commandPages()) {
  const file = join(ROOT, path)
  const made = path.endsWith('.md') ? await formatPage(file, text) : text
  if (existsSync(file) && readFileSync(file, 'utf8') === made) continue
  if (isCheck) {
    console.error(`Stale: ${path}; run \`npm run generate\``)
    process.exitCode = 1
  } else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, made)
    console.log(`Wrote ${path}`)
  }
}

async function formatPage(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file })
}
