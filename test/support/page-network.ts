import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** How a command is begun that has a network to itself: its words ahead. */
export type Network = readonly string[]

/** Whether pages are to be run, and can be: each has a network of its own, so that the ports that it names are free whatever else runs. */
export function canRunPages(): boolean {
  if (process.env['HOOKBENCH_DOCS'] !== 'whole') return false
  if (spawnSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0) return true
  const missing =
    'Cannot run the pages: it takes root, unshare and ip ("apt-get install util-linux iproute2")'
  if (process.env['CI']) throw new Error(missing)
  console.log(`Skipped: ${missing}`)
  return false
}

/** A network with loopback alone. */
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
