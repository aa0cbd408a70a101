import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { findHolder } from '../adapters/data-folder.ts'
import { createControlClient } from '../client/control-client.ts'
import { findControlAddress } from '../client/control-address.ts'
import { realTime } from '../adapters/real-time.ts'
import { pause } from '../client/pause.ts'
import { RefusedError } from '../client/requests.ts'
import { UsageError } from './failure.ts'
import { print, withFolderOptions, type SandboxFlags } from './sandbox-flags.ts'
import { withManual } from './manual.ts'

const PAUSE_MS = 50
/** The maximum time to wait until the sandbox stops, in ms. Deliveries in flight take at most ten seconds. */
const PATIENCE_MS = 15_000

export function downCommand(): Command {
  const command = withManual(new Command('down'), {
    about: [
      'Use this command to stop "npx hookbench up &", because "kill" with its pid stops only npx, not the sandbox. If no sandbox runs on the folder, the command succeeds.',
      'All worlds stop. HOOKBENCH_WORLD has no effect. The next start restores the worlds.',
    ],
    examples: [
      ['down', 'stop the sandbox of .hookbench'],
      ['down --data .hookbench-ci --json', 'stop the sandbox of another folder, and print its pid'],
    ],
    seeAlso: ['up', 'reset'],
  })
    .description('stop the sandbox that runs on the data folder, as Ctrl-C does')
    .summary('stop the sandbox')
  // Rejects --world, because a single world cannot be stopped.
  command.addOption(new Option('--world <name>').argParser(refuseWorld).hideHelp())
  return withFolderOptions(command).action(async (flags: SandboxFlags) => {
    const run = findHolder(flags.data)
    if (!run) {
      print({ stopped: false }, `No sandbox runs on data folder "${flags.data}"`, flags)
      return
    }
    // Checks that the sandbox answers, because its process id may now belong to another process.
    await createControlClient(findControlAddress(flags.data, {}))('getClock')
    process.kill(run.pid, 'SIGTERM')
    await awaitEnd(flags.data, run.pid)
    const { pid } = run
    print({ stopped: true, pid }, `Stopped the sandbox of process ${pid}`, flags)
  })
}

function refuseWorld(world: string): never {
  throw new UsageError(
    `Cannot stop world "${world}" alone: "down" stops the sandbox with all its worlds. An unused world is closed automatically, and "npx hookbench worlds remove ${world}" removes it`,
  )
}

async function awaitEnd(folder: string, pid: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += PAUSE_MS) {
    if (findHolder(folder)?.pid !== pid && !isAlive(pid)) return
    await pause(realTime.after, PAUSE_MS)
  }
  throw new RefusedError(`Cannot stop the sandbox of process ${pid}: the process still runs`, {
    hint: `end the process with "kill -9 ${pid}". The store stays intact`,
  })
}

/** Returns true if the process is running and is not a zombie. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch {
    return false
  }
}

/** Returns false on a system without /proc. */
export function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
