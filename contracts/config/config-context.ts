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
} from '../../sandbox/internal.ts'

/** Where a configuration is looked for. */
const FILES = ['ts', 'js', 'json', 'yaml'].map((extension) => `hookbench.config.${extension}`)

/** The configuration of the folder; undefined if it has none. */
export function findConfigFile(): string | undefined {
  return FILES.find((name) => existsSync(name))
}

interface Origin {
  readonly name: string
  /** What its paths begin at. */
  readonly folder: string
}

/** What a configuration is read with, where there is a disk. */
export function configContext({ name, folder }: Origin): ConfigContext {
  return {
    name,
    freshSeed: () => randomInt(2 ** 32),
    ids: catalogue.map(({ id }) => id),
    readFile: (path) => {
      try {
        return readFileSync(resolve(folder, path), 'utf8')
      } catch (cause) {
        throw new RangeError(`"${path}" cannot be read`, { cause })
      }
    },
    findTrustedCas: (data) => findTrustedCas(data, process.env),
    credentials: environmentCredentials(process.env),
    readToken: (data, url) => findTokenFor(url, data, process.env),
    findBench: (data) => findControlAddress(data, process.env),
  }
}
