import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LOSS_ROWS, NETWORK, NETWORK_ROWS } from './network-rows.ts'
import { tryAll } from './rows.ts'

// This program runs in its own network and mount namespaces, which end with the process. `network-rows.ts` starts the program.

function ip(...words: readonly string[]): void {
  execFileSync('ip', words, { stdio: 'pipe' })
}

async function startPeer(): Promise<{ readonly pid: number; end(): void }> {
  const child = spawn('unshare', ['--net', 'sh', '-c', 'echo ready; exec sleep 3600'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return { pid: child.pid ?? 0, end: () => child.kill('SIGKILL') }
}

function joinNetworks(pid: number): void {
  ip('link', 'set', 'lo', 'up')
  ip('link', 'add', 'v0', 'type', 'veth', 'peer', 'name', 'v1')
  ip('link', 'set', 'v1', 'netns', String(pid))
  ip('addr', 'add', `${NETWORK.here}/24`, 'dev', 'v0')
  ip('link', 'set', 'v0', 'up')
  ip('neigh', 'add', NETWORK.deaf, 'lladdr', '02:00:00:00:00:99', 'dev', 'v0')
  ip('route', 'add', 'unreachable', `${NETWORK.unreachable}/32`)
  ip('route', 'add', 'prohibit', `${NETWORK.prohibited}/32`)
  ip('route', 'add', 'blackhole', `${NETWORK.blackhole}/32`)
  ip('route', 'add', `${NETWORK.refusedByPeer}/32`, 'via', NETWORK.peer)
  const setUp = [
    'ip link set lo up',
    `ip addr add ${NETWORK.peer}/24 dev v1`,
    'ip link set v1 up',
    'echo 1 > /proc/sys/net/ipv4/ip_forward',
    `ip route add prohibit ${NETWORK.refusedByPeer}/32`,
  ]
  execFileSync('nsenter', ['--target', String(pid), '--net', 'sh', '-ec', setUp.join('\n')], {
    stdio: 'pipe',
  })
}

/** Sends DNS queries to an address that never answers. */
function muteNameServer(folder: string): void {
  const path = join(folder, 'resolv.conf')
  writeFileSync(path, `nameserver ${NETWORK.deaf}\noptions timeout:11 attempts:1\n`)
  execFileSync('mount', ['--bind', path, '/etc/resolv.conf'], { stdio: 'pipe' })
}

/** Makes the network slow and lossy. Returns an error message if the machine does not allow network changes. */
function spoilNetwork(): string | undefined {
  try {
    const netem = ['qdisc', 'add', 'dev', 'lo', 'root', 'netem', 'delay', '100ms', 'loss', '3%']
    execFileSync('tc', netem, { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n').at(1) ?? error.message) : String(error)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'hookbench-network-'))
const peer = await startPeer()
try {
  muteNameServer(folder)
  joinNetworks(peer.pid)
  const network = await tryAll(NETWORK_ROWS)
  const unfit = spoilNetwork()
  const loss = unfit === undefined ? await tryAll(LOSS_ROWS) : { cases: 0, failures: [] }
  const notRun =
    unfit === undefined
      ? []
      : [`loss and delay: ${unfit}; they need tc (apt-get install iproute2) and the kernel module sch_netem`]
  const result = {
    cases: network.cases + loss.cases,
    failures: [...network.failures, ...loss.failures],
    notRun,
  }
  process.stdout.write(JSON.stringify(result))
} finally {
  peer.end()
  rmSync(folder, { recursive: true })
}
