import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** How a command is begun that has a network to itself: its words ahead; none where this machine lets nobody make one. */
export type Network = readonly string[]

/**
 * A network of its own, with loopback alone, so that the ports that a page names are free whatever else runs. It takes root, and
 * Linux with iproute2; elsewhere a page has the ports of this machine.
 */
export async function openNetwork(): Promise<Network> {
  const holder = spawn(
    'unshare',
    ['--net', 'sh', '-c', 'ip link set lo up && echo ready && exec sleep 3600'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  onTestFinished(() => void holder.kill('SIGKILL'))
  const ready = once(createInterface(holder.stdout), 'line').then(() => true)
  const failed = Promise.race([once(holder, 'close'), once(holder, 'error')]).then(
    () => false,
    () => false,
  )
  return (await Promise.race([ready, failed])) ? ['nsenter', `--net=/proc/${holder.pid}/ns/net`] : []
}
