import { computed } from '@preact/signals'
import { CONFIG_DEFAULTS } from '../../../spec/generated/config-schemas.ts'
import { DEFAULT_WORLD } from '../../../spec/world-name.ts'
import type { Perform } from '../../compose/perform.ts'
import { commandLine, type CommandTarget } from '../../engine/core/command-line.ts'
import { createListing, type EventSubscription } from '../data/listing.ts'
import type { PagePorts } from './page-ports.ts'

const USE_MS = 3_000

export type SandboxPlace = ReturnType<typeof createSandboxPlace>

export function createSandboxPlace(
  feed: EventSubscription,
  perform: Perform,
  { origin, world, onReturn, every }: PagePorts,
) {
  // Ignores errors. Requests for the clock already report an unreachable sandbox. A sandbox in a test rejects `listWorlds`,
  // because it has only one world.
  const onError = () => {}
  const sandbox = createListing(feed, { load: () => perform('getSandbox'), types: ['run', 'world'], onError })
  const worlds = createListing(feed, { load: () => perform('listWorlds'), types: [], onError })
  // Reloads the worlds when the user returns to the page, because no event reports an added or removed world.
  onReturn(worlds.refresh)
  /** The run that uses the world. Null if the world is not in use. */
  const worldUse = computed(() => sandbox.rows.value?.used_by ?? null)
  // Polls, because no event reports the end of another program's run.
  every(USE_MS, () => {
    if (worldUse.peek()) sandbox.refresh()
  })
  const target = computed((): CommandTarget => {
    // If the token belongs to a world, the list contains only this world.
    const [first] = worlds.rows.value?.worlds ?? []
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
