import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onRequest } from '../../support/scripted-server.ts'
import { OK } from './stage.ts'
import { AT_DEADLINE, fault, type FaultRow } from './row.ts'
import type { Tried } from './rows.ts'

export const NETWORK = {
  here: '10.77.0.1',
  peer: '10.77.0.2',
  /** An IP address with a known hardware address. No machine has this hardware address. */
  deaf: '10.77.0.9',
  /** An IP address that no machine has. */
  absent: '10.77.0.77',
  /** Addresses that the routing table rejects. */
  unreachable: '10.77.1.1',
  prohibited: '10.77.2.1',
  blackhole: '10.77.3.1',
  refusedByPeer: '10.77.4.1',
} as const

const calling = (address: string): FaultRow['open'] => {
  return () => ({ url: `https://${address}:9443/hooks/7d1c`, allowTargets: ['10.77.0.0/16'] })
}

/** Faults of a real network between two network namespaces. */
export const NETWORK_ROWS: readonly FaultRow[] = [
  fault(
    'R02',
    'loses all connection packets in the network',
    'connect_timeout',
    calling(NETWORK.deaf),
    AT_DEADLINE,
  ),
  fault(
    'R03',
    'runs on a machine that resets connections to the port',
    'connect_refused',
    calling(NETWORK.peer),
  ),
  fault('R04', 'has an unreachable route', 'unreachable', calling(NETWORK.unreachable)),
  fault('R04', 'has a prohibited route', 'unreachable', calling(NETWORK.prohibited)),
  fault('R04', 'has a route that drops all packets', 'unreachable', calling(NETWORK.blackhole)),
  fault(
    'R04',
    'is behind a router that prohibits the connection',
    'unreachable',
    calling(NETWORK.refusedByPeer),
  ),
  fault(
    'D01',
    'has a name server that does not respond',
    'dns_timeout',
    () => ({ url: 'https://receiver.example/7d1c', allowTargets: ['receiver.example'] }),
    AT_DEADLINE,
  ),
  fault('R04', 'has an address that no host uses', 'unreachable', calling(NETWORK.absent)),
]

const answering: FaultRow['open'] = (stage) => stage.serve(onRequest((socket) => socket.write(OK)))

export const LOSS_ROWS: readonly FaultRow[] = Array.from({ length: 10 }, (_, index) =>
  fault('R02', `is on a network with 100 ms delay and 3 % packet loss, try ${index + 1}`, '200', answering),
)

export interface TriedNetwork extends Tried {
  readonly notRun: readonly string[]
}

const NEEDS = 'they need unshare, mount and ip (apt-get install util-linux iproute2), and root'

/** Runs the network faults in separate namespaces, if this machine allows it. */
export async function tryNetwork(): Promise<TriedNetwork> {
  const program = fileURLToPath(new URL('network-main.ts', import.meta.url))
  const child = spawn('unshare', ['--net', '--mount', process.execPath, program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close').catch(() => undefined)
  const [printed, said] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (child.exitCode === 0) return JSON.parse(printed)

  const why = said.split('\n').find((line) => /error|unshare/i.test(line)) ?? 'there is no unshare here'
  return {
    cases: 0,
    failures: [],
    notRun: [`faults of the network (R02 to R04, D01): ${why.trim()}; ${NEEDS}`],
  }
}
