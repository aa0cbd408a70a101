import { findControlAddress } from '../../client/control-address.ts'
import { createControlClient } from '../../client/control-client.ts'
import { createHttpCall } from '../../client/http-call.ts'
import type { Perform } from '../../compose/perform.ts'
import { DEFAULT_DATA_FOLDER, type CommandTarget } from '../../engine/core/command-line.ts'

/** A sandbox on this machine answers within milliseconds; one that does not is not waited for at a keyboard. */
const PATIENCE_MS = 400

/** The sandbox that a command with these options finds; what it performs rejects if it does not answer at once. */
export function connectBriefly({ data, world }: CommandTarget, env: NodeJS.ProcessEnv): Perform {
  return async (id, ...input) => {
    const address = {
      ...findControlAddress(data ?? DEFAULT_DATA_FOLDER, env),
      world: world ?? env['HOOKBENCH_WORLD'],
    }
    const through = createHttpCall({ trustedCas: address.trustedCas, idleMs: PATIENCE_MS })
    return createControlClient(address, { through })(id, ...input)
  }
}
