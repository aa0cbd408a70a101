import { readFileSync } from 'node:fs'

/** The size in MB that docs/install.md says of something, by the first words of its row. Throws if it has none. */
export function listedSize(subject: string): number {
  const page = readFileSync(new URL('../../docs/install.md', import.meta.url), 'utf8')
  const row = page.split('\n').find((line) => line.toLowerCase().startsWith(`| the ${subject}`))
  const size = /\| *(?<megabytes>\d+) MB/.exec(row ?? '')?.groups?.['megabytes']
  if (size === undefined) throw new Error(`docs/install.md says no size of "the ${subject}"`)
  return Number(size)
}
