import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import type { Store } from '../../../../sandbox/engine/state/store.ts'
import type { Dependencies } from '../../../../sandbox/compose/wiring.ts'
import type { Transport } from '../../../../sandbox/engine/core/ports.ts'
import type { Plant } from '../world/incarnation.ts'

/** A bug as somebody might make it, put into the ports of a sandbox that has none. */
export interface PlantedBug {
  /** As the table names it. */
  readonly id: string
  readonly about: string
  /** Made anew for each run. */
  readonly plant: Plant
}

/** The same thing with some of its members replaced; what is computed at each look stays so. */
export function withMembers<Thing extends object>(thing: Thing, members: Partial<Thing>): Thing {
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(thing),
      ...Object.getOwnPropertyDescriptors(members),
    },
  ) as Thing
}

/** A store that takes other entries than it is given. */
export function alterEntries(alter: (entry: Entry, store: Store) => readonly Entry[]): Plant {
  return {
    store: (store) =>
      withMembers(store, {
        commit: (entries, outlived) =>
          store.commit(
            entries.flatMap((entry) => alter(entry, store)),
            outlived,
          ),
      }),
  }
}

/** A store of which some members are others. */
export function alterStore(members: (store: Store) => Partial<Store>): Plant {
  return { store: (store) => withMembers(store, members(store)) }
}

export function alterTransport(alter: (inner: Transport) => Transport['post']): Plant {
  return {
    dependencies: (given) => ({
      ...given,
      ports: { ...given.ports, transport: { post: alter(given.ports.transport) } },
    }),
  }
}

export function alterDependencies(alter: (given: Dependencies) => Partial<Dependencies>): Plant {
  return { dependencies: (given) => ({ ...given, ...alter(given) }) }
}

/** Another option of a reading than the one that was chosen. */
export function alterReading(id: string, option: string): Plant {
  return alterDependencies(({ settings }) => ({
    settings: { ...settings, readings: { ...settings.readings, [id]: option } },
  }))
}
