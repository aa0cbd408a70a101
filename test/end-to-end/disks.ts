import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface SmallDisk {
  readonly path: string
  /** Fills the disk. Returns a function that frees the space. */
  fill(): () => void
  setReadOnly(): void
  unmount(): void
}

/** Mounts a disk with a size of `kilobytes`. Tests that call this function need the tag `small-disk`. */
export function mountSmallDisk(path: string, kilobytes: number): SmallDisk {
  mkdirSync(path, { recursive: true })
  mount('-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=0700`, 'tmpfs', path)
  return {
    path,
    fill() {
      const filler = join(path, 'filler')
      const descriptor = openSync(filler, 'w')
      for (const size of [4_096, 1]) writeUntilFull(descriptor, size)
      closeSync(descriptor)
      return () => rmSync(filler)
    },
    setReadOnly: () => mount('-o', 'remount,ro', path),
    unmount: () => void spawnSync('umount', ['--lazy', path]),
  }
}

function mount(...words: readonly string[]): void {
  execFileSync('mount', words)
}

function writeUntilFull(descriptor: number, size: number): void {
  const block = Buffer.alloc(size, 1)
  try {
    while (writeSync(descriptor, block) > 0);
  } catch (error) {
    if (!(error instanceof Error && Reflect.get(error, 'code') === 'ENOSPC')) throw error
  }
}

interface Injection {
  end(): Promise<void>
}

/** Makes system calls of a process fail, such as `fdatasync:error=EIO`. Tests that use this function have the tag `strace`. */
export async function injectFailure(pid: number, failure: string): Promise<Injection> {
  const [call = ''] = failure.split(':')
  const tracer = spawn(
    'strace',
    ['-f', '-p', String(pid), '-e', `trace=${call}`, '-e', `inject=${failure}`],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const attached = Promise.withResolvers<boolean>()
  const ended = new Promise<void>((resolve) => tracer.on('close', () => resolve()))
  createInterface({ input: tracer.stderr }).on('line', (line) => {
    if (line.includes('attached')) attached.resolve(true)
  })
  void ended.then(() => attached.resolve(false))
  if (!(await attached.promise)) throw new Error(`Cannot make "${failure}" fail: strace ended`)
  return {
    end() {
      tracer.kill('SIGINT')
      return ended
    },
  }
}
