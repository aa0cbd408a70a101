import { signal, type ReadonlySignal } from '@preact/signals'
import type { World } from '../../../spec/generated/control-types.ts'
import { DEFAULT_WORLD } from '../../../spec/world-name.ts'
import type { Perform } from '../../compose/perform.ts'
import type { CommandTarget } from '../../engine/core/command-line.ts'
import { createListing, type EventFeed, type Listing } from './listing.ts'
import type { PagePorts } from './page-ports.ts'

/** The sandbox and world of the page. */
export interface SandboxPlace {
  /** The data folder and world for command lines. */
  readonly target: ReadonlySignal<CommandTarget>
  readonly worlds: Listing<readonly World[]>
}

export function createSandboxPlace(
  feed: EventFeed,
  perform: Perform,
  { world, onReturn }: Pick<PagePorts, 'world' | 'onReturn'>,
): SandboxPlace {
  const target = signal<CommandTarget>({ world })
  const learn = (more: CommandTarget) => {
    target.value = { ...target.value, ...more }
  }
  feed.onGap(() => {
    // The clock reports an unreachable sandbox.
    void perform('getSandbox').then(
      ({ data_folder }) => learn({ data: data_folder ?? undefined }),
      () => {},
    )
  })
  const worlds = createListing(feed, {
    async load() {
      const { worlds: listed } = await perform('listWorlds')
      // A world's token opens only that world.
      const [first] = listed
      if (first && first.name !== DEFAULT_WORLD) learn({ world: first.name })
      return listed
    },
    types: [],
    // A sandbox in a test has one world. The clock reports other errors.
    onError: () => {},
  })
  // No event reports added or removed worlds.
  onReturn(() => void worlds.refresh())
  return { target, worlds }
}
