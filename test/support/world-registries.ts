import { realTime } from '../../sandbox/adapters/real-time.ts'
import type { SharedParts } from '../../sandbox/compose/open-world.ts'
import { onlyWorld } from '../../sandbox/compose/world-administration.ts'
import { createWorldRegistry, type WorldRegistry } from '../../sandbox/compose/world-registry.ts'
import { defaultSettings } from '../../sandbox/engine/core/settings.ts'
import { createEgress } from '../../sandbox/engine/delivery/egress.ts'
import type { WorldDirectory } from '../../sandbox/engine/state/world-directory.ts'
import { scriptedTransport } from './scripted-transport.ts'

/** A registry over a directory, whose worlds post to nobody, and what it told. */
export function testRegistry(directory: WorldDirectory): {
  readonly registry: WorldRegistry
  readonly told: readonly string[]
} {
  const told: string[] = []
  const transport = scriptedTransport()
  const registry = createWorldRegistry({
    directory,
    shared: { ...sharedParts(), transport },
    transportOf: () => ({ ...transport, cut() {} }),
    worldsOf: (world) => onlyWorld(world, () => true),
    realTime,
    graceMs: 1_000,
    idleMs: 60_000,
    onOpened: ({ name }) => told.push(`opened ${name}`),
    onUnopened: ({ name }) => told.push(`unopened ${name}`),
    onPaused: ({ name }) => told.push(`paused ${name}`),
  })
  return { registry, told }
}

function sharedParts(): Omit<SharedParts, 'transport'> {
  const allowTargets: readonly string[] = []
  return {
    options: {
      caFolder: '',
      port: 0,
      benchPort: 0,
      allowTargets,
      settings: defaultSettings,
      onError(where, error) {
        throw new Error(where, { cause: error })
      },
    },
    egress: createEgress({ allowTargets, ownPorts: () => [] }),
    mostPosts: 10,
    tokenKey: new Uint8Array(32),
    rootToken: 'root',
    startedAt: 0,
    serviceUrl: () => '',
    benchUrl: () => '',
  }
}
