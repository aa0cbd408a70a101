import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What a folder weighs: the bytes of its files. */
export interface Weight {
  readonly files: number
  readonly bytes: number
}

export function weigh(folder: string): Weight {
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .filter((stat) => stat.isFile())
    .map(({ size }) => size)
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

/** How many packages npm has installed into a folder. */
export function countPackages(folder: string): number {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  return Object.keys(packages).filter((path) => existsSync(join(folder, path))).length
}

/** The most that the package may weigh, and take. */
export const BARS = { bytes: 25_000_000, packages: 40, seconds: 5 } as const

export function formatBytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** The first number of each row of a page's table, by what the row is about. */
export function readRows(page: string): ReadonlyMap<string, number> {
  const rows = [...page.matchAll(/^\| ([^|]+?) +\| ([\d.]+)[^|]*\|/gm)]
  return new Map(rows.map(([, name = '', value = '']) => [name, Number(value)]))
}
