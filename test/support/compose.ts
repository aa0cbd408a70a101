import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parse } from 'yaml'
import type { Container, ContainerHost } from './containers.ts'
import type { Image } from './image.ts'
import type { Ended, Lasting } from './program.ts'

interface Service {
  readonly image: string
  readonly command: string
  readonly user?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
}

interface Running {
  readonly container: Container
  readonly words: readonly string[]
  readonly process: Lasting
}

/** What a compose file describes, as far as ours goes. */
export interface Composition {
  /** Starts its services, each when the conditions are met that it waits for. */
  up(variables: Readonly<Record<string, string>>): Promise<void>
  /** Runs a command in the container of a service. */
  exec(service: string, words: readonly string[]): Promise<Ended>
  /** What a service prints. */
  logs(service: string): Lasting
}

/** Where services are reached at; the network of a host has these addresses. */
export const ADDRESSES = { hookbench: '10.88.0.2', receiver: '10.88.0.3' }

/** Carries out a compose file in `folder`: with `image` for what it calls "hookbench", and this machine's programs for others. */
export function readComposition(
  file: string,
  { host, image, folder }: { readonly host: ContainerHost; readonly image: Image; readonly folder: string },
): Composition {
  const { services }: { readonly services: Readonly<Record<string, Service>> } = parse(
    readFileSync(file, 'utf8'),
  )
  const running = new Map<string, Running>()
  const names = Object.entries(ADDRESSES).map(([name, address]) => `${address} ${name}\n`)
  writeFileSync(join(image.container.root, 'etc/hosts'), ['127.0.0.1 localhost\n', ...names].join(''))

  function begin(name: string, variables: Readonly<Record<string, string>>): Running {
    const service = services[name]
    if (!service) throw new Error(`There is no service "${name}" in ${file}`)
    const isOurs = service.image === 'hookbench'
    const base = isOurs ? image.container : { root: ownPrograms(folder), mounts: { '/usr': '/usr' } }
    const mounts = { ...base.mounts, ...mountsOf(service.volumes ?? [], base.root) }
    const environment = replaceVariables(service.environment ?? {}, variables)
    const container = {
      ...base,
      user: service.user ?? base.user,
      variables: { ...base.variables, ...environment },
      mounts,
    }
    const words = [...(isOurs ? image.entrypoint : []), ...service.command.split(' ')]
    return { container, words, process: host.start(container, ...words) }
  }

  function mountsOf(volumes: readonly string[], root: string): Record<string, string> {
    return Object.fromEntries(
      volumes.map((volume) => {
        const [source = '', target = ''] = volume.split(':')
        const path = join(root, target)
        const isFile = source.startsWith('.')
        mkdirSync(isFile ? dirname(path) : path, { recursive: true })
        if (isFile) {
          writeFileSync(path, '')
          return [target, resolve(dirname(file), source)]
        }
        return [target, volumeFolder(source, path)]
      }),
    )
  }

  /** A new volume belongs to whom the folder of the image belongs where it is first put. */
  function volumeFolder(name: string, target: string): string {
    const path = join(folder, `volume-${name}`)
    if (mkdirSync(path, { recursive: true }) !== undefined) {
      const { uid, gid } = statSync(target)
      chownSync(path, uid, gid)
    }
    return path
  }

  async function start(name: string, variables: Readonly<Record<string, string>>): Promise<void> {
    if (running.has(name)) return
    for (const [other, { condition }] of Object.entries(services[name]?.depends_on ?? {})) {
      await start(other, variables)
      await meet(other, condition)
    }
    running.set(name, begin(name, variables))
  }

  async function meet(name: string, condition: string): Promise<void> {
    const service = find(name)
    if (condition === 'service_completed_successfully') {
      const code = await service.process.end()
      if (code !== 0) throw new Error(`${name} ended with ${code}`)
    } else if (condition === 'service_healthy') {
      const { code, stderr } = await host.run(service.container, ...image.healthCheck)
      if (code !== 0) throw new Error(`${name} is not healthy: ${stderr}`)
    } else throw new Error(`Cannot wait for "${condition}"`)
  }

  function find(name: string): Running {
    const found = running.get(name)
    if (!found) throw new Error(`"${name}" does not run`)
    return found
  }

  return {
    async up(variables) {
      for (const name of Object.keys(services)) await start(name, variables)
    },
    exec: (name, words) => host.run(find(name).container, ...words),
    logs: (name) => find(name).process,
  }
}

/** A root in which the programs of this machine can be put. */
function ownPrograms(folder: string): string {
  const root = mkdtempSync(join(folder, 'programs-'))
  chmodSync(root, 0o755)
  for (const name of ['usr', 'proc', 'dev', 'tmp']) mkdirSync(join(root, name))
  for (const name of ['bin', 'sbin', 'lib', 'lib64'])
    if (lstatSync(`/${name}`).isSymbolicLink()) symlinkSync(`usr/${name}`, join(root, name))
  return root
}

function replaceVariables(
  environment: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([key, text]) => [
      key,
      text.replaceAll(/\$\{(\w+):\?([^}]*)\}/g, (_, name: string, missing: string) => {
        const value = variables[name]
        if (value === undefined) throw new Error(`${name} is missing: ${missing}`)
        return value
      }),
    ]),
  )
}
