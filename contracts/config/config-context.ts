import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { catalogue } from '../catalogue.ts'
import type { ConfigContext } from './run-options.ts'
import {
  environmentCredentials,
  findControlAddress,
  findTokenFor,
  findTrustedCas,
  secretText,
  type Credentials,
} from '../../sandbox/internal.ts'

/** Where a configuration is looked for. */
const FILES = ['ts', 'mjs', 'js', 'json', 'yaml'].map((extension) => `hookbench.config.${extension}`)

/** The configuration of the folder; undefined if it has none. */
export function findConfigFile(): string | undefined {
  return FILES.find((name) => existsSync(name))
}

interface Origin {
  readonly name: string
  /** What its paths begin at. */
  readonly folder: string
  /** The world of a sandbox that runs; null if nothing but the configuration chooses it, and the environment may if left out. */
  readonly world?: string | null | undefined
  /** What the command line gives: it goes before the environment. */
  readonly credentials?: Partial<Credentials>
}

/** What a configuration is read with, where there is a disk. */
export function configContext({
  name,
  folder,
  world = process.env['HOOKBENCH_WORLD'],
  credentials = {},
}: Origin): ConfigContext {
  return {
    name,
    freshSeed: () => randomInt(2 ** 32),
    freshSalt: () => String(randomInt(2 ** 47)),
    ids: catalogue.map(({ id }) => id),
    readFile: (path) => {
      try {
        return readFileSync(resolve(folder, path), 'utf8')
      } catch (cause) {
        throw new RangeError(`"${path}" cannot be read`, { cause })
      }
    },
    findTrustedCas: (data) => findTrustedCas(data, process.env),
    credentials: { ...environmentCredentials(process.env), ...credentials },
    freshName: () =>
      randomInt(36 ** 8)
        .toString(36)
        .padStart(8, '0'),
    freshSecret: secretText,
    world: world ?? undefined,
    readToken: (data, url) => findTokenFor(url, data, process.env),
    findBench: (data) => findControlAddress(data, process.env),
  }
}
