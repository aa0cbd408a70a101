import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { followLines, type Ended, type Lasting } from './program.ts'

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What a container is made of: the root of its image, and what is different in it. */
export interface Container {
  readonly root: string
  /** Root if left out. */
  readonly user?: string | undefined
  readonly folder?: string
  readonly variables?: Readonly<Record<string, string>>
  /** Folders and files of this machine, by their paths in the container. */
  readonly mounts?: Readonly<Record<string, string>>
}

/** A network of its own, with containers in it, without an engine for containers: namespaces and `chroot` alone. */
export interface ContainerHost {
  /** Runs a command to its end. */
  run(container: Container, ...words: readonly string[]): Promise<Ended>
  /** Starts a command that prints lines and lasts. */
  start(container: Container, ...words: readonly string[]): Lasting
  /** Ends whatever was started. */
  close(): Promise<void>
}

/** `addresses` are what containers are reached at, beside loopback. */
export async function openContainerHost(addresses: readonly string[] = []): Promise<ContainerHost> {
  const setUp = ['ip link set lo up', ...addresses.map((address) => `ip addr add ${address}/32 dev lo`)]
  const holder = spawn('unshare', ['--net', 'sh', '-c', `${setUp.join(' && ')} && echo up && exec cat`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  const children: ChildProcessByStdio<null, Readable, Readable>[] = []

  function begin(container: Container, words: readonly string[]) {
    const { variables } = container
    const enter = [
      '-t',
      String(holder.pid),
      '-n',
      'unshare',
      '--mount',
      '--propagation',
      'private',
      '--pid',
      '--fork',
      'sh',
      '-c',
      scriptOf(container),
    ]
    const child = spawn('nsenter', [...enter, container.folder ?? '/', ...words], {
      cwd: '/',
      env: { PATH, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    return child
  }

  return {
    async run(container, ...words) {
      const child = begin(container, words)
      const [stdout, stderr] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ])
      return { code: child.exitCode, stdout, stderr }
    },
    start(container, ...words) {
      const child = begin(container, words)
      const lines = followLines(child)
      return {
        ...lines,
        end(...signals) {
          for (const signal of signals) sendSignal(child.pid, signal)
          return lines.end()
        },
      }
    },
    async close() {
      const running = [...children, holder].filter(
        ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
      )
      const ended = running.map((child) => once(child, 'close'))
      // What has become another user does not end with who made it.
      for (const child of running) sendSignal(child.pid, 'SIGKILL')
      await Promise.all(ended)
    },
  }
}

/** Sends a signal to the first process of a container, or to what is about to make it: that waits, and hands no signal on. */
function sendSignal(maker: number | undefined, signal: NodeJS.Signals): void {
  if (maker === undefined) return
  try {
    const [first = ''] = readFileSync(`/proc/${maker}/task/${maker}/children`, 'utf8').trim().split(' ')
    process.kill(first === '' ? maker : Number(first), signal)
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof Error && 'code' in error && ENDED.has(error.code))) throw error
  }
}

const ENDED: ReadonlySet<unknown> = new Set(['ENOENT', 'ESRCH'])

/** Each step becomes the next one, so that the command is the first process there. Its words follow, the folder first. */
function scriptOf({ root, user = '0', mounts = {} }: Container): string {
  const bound = Object.entries({ '/dev': '/dev', ...mounts }).map(
    ([target, source]) => `mount --rbind '${source}' '${root}${target}'`,
  )
  const enter = `exec chroot --userspec=${user}:${user} '${root}' /bin/sh -c 'cd "$0" && exec "$@"' "$0" "$@"`
  return [`mount -t proc proc '${root}/proc'`, ...bound, enter].join(' && ')
}
