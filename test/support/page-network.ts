import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** How a command is begun that has a network to itself: its words ahead. */
export type Network = readonly string[]

/** A network with loopback alone, in which the ports that a page names are free. */
export async function openNetwork(): Promise<Network> {
  const holder = spawn(
    'unshare',
    ['--net', 'sh', '-c', 'ip link set lo up && echo ready && exec sleep 3600'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void holder.kill('SIGKILL'))
  const ready = once(createInterface(holder.stdout), 'line').then(() => true)
  if (!(await Promise.race([ready, once(holder, 'close').then(() => false)])))
    throw new Error('Cannot give the page a network of its own: unshare ended')
  return ['nsenter', `--net=/proc/${holder.pid}/ns/net`]
}
