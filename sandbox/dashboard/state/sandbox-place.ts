import { computed, type ReadonlySignal } from '@preact/signals'
import { CONFIG_DEFAULTS } from '../../../spec/generated/config-schemas.ts'
import type { World, WorldUse } from '../../../spec/generated/control-types.ts'
import { DEFAULT_WORLD } from '../../../spec/world-name.ts'
import type { Perform } from '../../compose/perform.ts'
import { commandLine, type CommandTarget } from '../../engine/core/command-line.ts'
import { createListing, type EventFeed, type Listing } from './listing.ts'
import type { PagePorts } from './page-ports.ts'

/** The sandbox and world of the page. */
export interface SandboxPlace {
  /** The data folder and world for command lines. */
  readonly target: ReadonlySignal<CommandTarget>
  /** The command that starts the sandbox on the ports of this page. */
  readonly startLine: ReadonlySignal<string>
  readonly worlds: Listing<readonly World[]>
  /** The run that uses the world. Null without one. */
  readonly worldUse: ReadonlySignal<WorldUse | null>
}

const USE_MS = 3_000

export function createSandboxPlace(
  feed: EventFeed,
  perform: Perform,
  { origin, world, onReturn, every }: PagePorts,
): SandboxPlace {
  // The clock reports an unreachable sandbox.
  const quiet = { onError: () => {} }
  const sandbox = createListing(feed, {
    ...quiet,
    load: () => perform('getSandbox'),
    types: ['run', 'world'],
  })
  const worldUse = computed(() => sandbox.rows.value?.used_by ?? null)
  // The end of another program's run is not an event.
  every(USE_MS, () => {
    if (worldUse.peek()) void sandbox.refresh()
  })
  // A sandbox in a test has one world.
  const worlds = createListing<readonly World[]>(feed, {
    ...quiet,
    load: async () => (await perform('listWorlds')).worlds,
    types: [],
  })
  // No event reports added or removed worlds.
  onReturn(() => void worlds.refresh())
  const target = computed(() => {
    // A world's token opens only that world.
    const [first] = worlds.rows.value ?? []
    const own = first && first.name !== DEFAULT_WORLD ? first.name : world
    return { data: sandbox.rows.value?.data_folder ?? undefined, world: own }
  })
  const startLine = computed(() => {
    const { port, benchPort } = CONFIG_DEFAULTS
    const ports = [
      ...portOption('--port', sandbox.rows.value?.service_url, port),
      ...portOption('--bench-port', origin, benchPort),
    ]
    return commandLine(['up', ...ports].join(' '), target.value)
  })
  return { target, startLine, worlds, worldUse }
}

function portOption(name: string, url: string | undefined, usual: number): readonly string[] {
  const port = url === undefined ? '' : new URL(url).port
  return port === '' || port === String(usual) ? [] : [name, port]
}
