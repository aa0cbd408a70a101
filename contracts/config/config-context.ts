import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { catalogue } from '../catalogue.ts'
import type { ConfigContext } from './run-options.ts'
import { readBenchToken } from '../../sandbox/internal.ts'

interface Origin {
  readonly name: string
  /** What its paths begin at. */
  readonly folder: string
  readonly bareUrl: boolean
  /** Goes before what the data folder has. */
  readonly token?: string | undefined
}

/** What a configuration is read with, where there is a disk. */
export function configContext({ name, folder, bareUrl, token }: Origin): ConfigContext {
  return {
    name,
    bareUrl,
    freshSeed: () => randomInt(2 ** 32),
    ids: catalogue.map(({ id }) => id),
    readFile: (path) => {
      try {
        return readFileSync(resolve(folder, path), 'utf8')
      } catch (cause) {
        throw new RangeError(`"${path}" cannot be read`, { cause })
      }
    },
    readCa: (data) => readOrNothing(resolve(data, 'ca', 'ca.crt.pem')),
    readToken: (data) => token ?? readBenchToken({ path: resolve(data) }),
  }
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
