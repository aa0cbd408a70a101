import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { format } from 'prettier'
import { checksPage } from './checks-page.ts'
import { commandsPage } from './commands-page.ts'
import { readingsPage } from './readings-page.ts'

/** The generated pages, by path. With --check, the script writes nothing, and fails if a page is stale. */
const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'reference/checks.md': checksPage,
  'reference/commands.md': commandsPage,
  'reference/readings.md': readingsPage,
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
for (const [name, page] of Object.entries(PAGES)) {
  const url = new URL(`../${name}`, import.meta.url)
  const text = name.endsWith('.md')
    ? await format(await page(), { parser: 'markdown', printWidth: 110 })
    : await page()
  if (!values.check) writeFileSync(url, text)
  else if (readFileSync(url, 'utf8') !== text) {
    console.error(`Stale: ${join('docs', name)}; run "npm run generate"`)
    process.exitCode = 1
  }
}
