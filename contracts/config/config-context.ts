import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { catalogue } from '../catalogue.ts'
import {
  environmentCredentials,
  findControlAddress,
  findTokenFor,
  findTrustedCas,
  readConfigFile,
  secretText,
  type Credentials,
} from '../../sandbox/internal.ts'

const FILES = ['ts', 'mjs', 'js', 'json', 'yaml'].map((extension) => `hookbench.config.${extension}`)

export function findConfigFile(): string | undefined {
  return FILES.find((name) => existsSync(name))
}

interface ValueOrigin {
  readonly name: string
  /** The base folder for relative paths. */
  readonly folder: string
  /** The world of a running sandbox. Defaults to HOOKBENCH_WORLD. If null, HOOKBENCH_WORLD is ignored. */
  readonly world?: string | null | undefined
  /** The credentials from the command line, which override credentials from the environment. */
  readonly credentials?: Partial<Credentials>
}

export function configContext(origin: ValueOrigin) {
  const { name, folder, world = process.env['HOOKBENCH_WORLD'], credentials = {} } = origin
  return {
    name,
    freshSeed: () => randomInt(2 ** 32),
    /** Returns a new salt for each run, because the receiver may remember ids. */
    freshSalt: () => String(randomInt(2 ** 47)),
    ids: catalogue.map(({ id }) => id),
    /** Throws RangeError if the file cannot be read. */
    readFile: (path: string) => {
      try {
        return readFileSync(resolve(folder, path), 'utf8')
      } catch (cause) {
        throw new RangeError(`"${path}" cannot be read`, { cause })
      }
    },
    findTrustedCas: (data: string) => findTrustedCas(data, process.env),
    credentials: { ...environmentCredentials(process.env), ...credentials } as Partial<Credentials>,
    freshName: () =>
      randomInt(36 ** 8)
        .toString(36)
        .padStart(8, '0'),
    freshSecret: secretText,
    world: world ?? undefined,
    readToken: (data: string, url: string) => findTokenFor(url, data, process.env),
    findBench: (data: string) => findControlAddress(data, process.env),
  }
}

/** Without a file, returns an empty configuration. */
export async function readConfig(
  file: string | undefined,
  nameWithoutFile: string,
  more: Pick<ValueOrigin, 'world' | 'credentials'> = {},
) {
  if (file === undefined)
    return { config: {}, context: configContext({ name: nameWithoutFile, folder: '.', ...more }) }
  const context = configContext({ name: `config "${file}"`, folder: dirname(resolve(file)), ...more })
  return { config: await readConfigFile(file), context }
}

export type ConfigContext = ReturnType<typeof configContext>
