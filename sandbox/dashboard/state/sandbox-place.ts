import { signal, type ReadonlySignal } from '@preact/signals'
import type { World } from '../../../spec/generated/control-types.ts'
import { DEFAULT_WORLD } from '../../../spec/world-name.ts'
import type { Perform } from '../../compose/perform.ts'
import type { CommandTarget } from '../../engine/core/command-line.ts'
import { createListing, type EventFeed, type Listing } from './listing.ts'
import type { PagePorts } from './page-ports.ts'

/** Which sandbox the page shows, and which of its worlds. */
export interface SandboxPlace {
  /** The data folder and the world, which commands of the terminal name. */
  readonly target: ReadonlySignal<CommandTarget>
  /** All worlds that the token opens. */
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
    // Who does not answer is told of by the clock.
    void perform('getSandbox').then(
      ({ data_folder }) => learn({ data: data_folder ?? undefined }),
      () => {},
    )
  })
  const worlds = createListing(feed, {
    async load() {
      const { worlds: listed } = await perform('listWorlds')
      // The token of a world opens that one, whatever the address says.
      const [first] = listed
      if (first && first.name !== DEFAULT_WORLD) learn({ world: first.name })
      return listed
    },
    types: [],
    // A sandbox in a test has one world only, and what else goes wrong is told of by the clock.
    onError: () => {},
  })
  // What adds and removes worlds is no event of one of them.
  onReturn(() => void worlds.refresh())
  return { target, worlds }
}
