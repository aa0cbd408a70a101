import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../entries.ts'
import { unpackArchive } from './archive.ts'
import { run } from './run.ts'
import { findTarget, pinnedNode, type Target } from './targets.ts'

const CACHE = join(ROOT, 'node_modules/.cache/hookbench/node')

/** Returns the path of Node for a target. npm has installed Node for this machine. For other targets, downloads Node once. */
export function nodeBinary(target: Target): string {
  const installed = join(ROOT, 'node_modules', target.nodePackage, target.nodeFile)
  if (existsSync(installed)) return installed
  const folder = join(CACHE, `${target.name}-${pinnedNode(target)}`)
  const fetched = join(folder, 'package', target.nodeFile)
  if (!existsSync(fetched)) fetchNode(target, folder)
  return fetched
}

/** Returns Node's license. If the target's package lacks the license, another package of the same version provides the license. */
export function nodeLicense(target: Target): string {
  const path = licenseBeside(target)
  return readFileSync(existsSync(path) ? path : licenseBeside(findTarget('linux-x64')), 'utf8')
}

function licenseBeside(target: Target): string {
  return join(dirname(nodeBinary(target)), '../LICENSE')
}

function fetchNode(target: Target, folder: string): void {
  const spec = `${target.nodePackage}@${pinnedNode(target)}`
  mkdirSync(folder, { recursive: true })
  const [packed] = JSON.parse(run('npm', ['pack', spec, '--json', '--pack-destination', folder], ROOT))
  const tarball = String(packed.filename)
  const hash = `sha512-${createHash('sha512')
    .update(readFileSync(join(folder, tarball)))
    .digest('base64')}`
  if (hash !== lockedHash(target)) {
    throw new Error(
      `Cannot use ${spec}: its hash is ${hash}, and package-lock.json has ${lockedHash(target)}`,
    )
  }
  unpackArchive(folder, tarball)
}

function lockedHash({ nodePackage }: Target): string | undefined {
  const lock: { readonly packages: Readonly<Record<string, { readonly integrity?: string }>> } = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  )
  return lock.packages[`node_modules/${nodePackage}`]?.integrity
}
