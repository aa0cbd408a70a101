import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from '../../spec/generated/control-types.ts'
import { DEFAULT_WORLD } from '../../spec/world-name.ts'
import { placesOf } from './data-folder.ts'

const NAME = 'before-check'
const PATTERN = /^before-check(?:-([^.]+)\.\d+)?\.json$/

/**
 * Where a run keeps the world of a sandbox with this data folder. It is with what the world has there, so that it goes when the world
 * does; where a world has no folder, the next run in a world of its name removes it: a later one began at another time.
 */
export function findKeptWorldPlace(
  data: string,
  { name, created_at }: Pick<World, 'name' | 'created_at'>,
): string {
  if (name === DEFAULT_WORLD) return join(data, `${NAME}.json`)
  const own = join(placesOf(data).worldsFolder, name)
  const folder = existsSync(own) ? own : data
  // No name of a world has a dot in it.
  const file = `${NAME}-${name}.${Date.parse(created_at)}.json`
  for (const other of readdirSync(folder))
    if (other.startsWith(`${NAME}-${name}.`) && other !== file) rmSync(join(folder, other), { force: true })
  return join(folder, file)
}

/** A world as it was before a run of checks began to use it. */
export interface LeftWorld {
  readonly world: string
  /** The file with its snapshot. */
  readonly path: string
}

/** The worlds that runs use now, or that runs which were cut off have not put back. Leaves everything as it is. */
export function findLeftWorlds(data: string): readonly LeftWorld[] {
  const { worldsFolder } = placesOf(data)
  const folders = [data, ...namesIn(worldsFolder).map((name) => join(worldsFolder, name))]
  return folders.flatMap((folder) =>
    namesIn(folder).flatMap((file) => {
      const [, world = DEFAULT_WORLD] = PATTERN.exec(file) ?? []
      return PATTERN.test(file) ? [{ world, path: join(folder, file) }] : []
    }),
  )
}

/** Empty for a folder that is not there, or cannot be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
