import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import type { Store } from '../../../../sandbox/engine/state/store.ts'
import type { Dependencies } from '../../../../sandbox/compose/wiring.ts'
import type { Transport } from '../../../../sandbox/engine/core/ports.ts'
import type { Plant } from '../world/incarnation.ts'

export interface PlantedBug {
  readonly id: string
  readonly about: string
  readonly plant: Plant
}

/** Returns a copy of an object with some members replaced. Getters stay getters. */
export function withMembers<Thing extends object>(thing: Thing, members: Partial<Thing>): Thing {
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(thing),
      ...Object.getOwnPropertyDescriptors(members),
    },
  ) as Thing
}

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

export function alterReading(id: string, option: string): Plant {
  return alterDependencies(({ settings }) => ({
    settings: { ...settings, readings: { ...settings.readings, [id]: option } },
  }))
}
