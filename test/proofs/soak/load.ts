import { setTimeout } from 'node:timers/promises'
import type { ObjectRecord } from '../../../spec/generated/control-types.ts'
import { writeNumber, type Ledger } from './ledger.ts'
import type { SoakedSandbox } from './sandbox.ts'

/** What is changed of an object of each type. */
const FIELDS = { items: 'name', users: 'first_name', companies: 'name' } as const
const TYPES = ['items', 'users', 'companies'] as const
const OBJECTS_OF_TYPE = 100

type Control = Pick<SoakedSandbox, 'control'>

/** Changes the object so that it says this number. */
export interface ChangedObject {
  /** Its type and id. */
  readonly name: string
  isBusy: boolean
  change(number: number): Promise<void>
}

/** The objects that are changed, of each type in turn. Nobody may be registered yet. */
export async function createObjects({ control }: Control): Promise<readonly ChangedObject[]> {
  const objects: ChangedObject[] = []
  for (let count = 0; count < OBJECTS_OF_TYPE; count++)
    for (const type of TYPES) {
      const { id } = await control<ObjectRecord>('POST', `/objects/${type}`, {})
      objects.push({
        name: `${type}/${id}`,
        isBusy: false,
        async change(number) {
          await control('PATCH', `/objects/${type}/${id}`, { [FIELDS[type]]: writeNumber(number) })
        },
      })
    }
  return objects
}

export interface LoadOptions {
  readonly ledger: Ledger
  readonly count: number
  /** Changes a second, however long each takes. */
  readonly rate: number
}

/** How often it looks whether a change is due. */
const TICK_MS = 5

/** Makes so many changes, each object's one after the other. Rejects if one is refused. */
export async function makeChanges(
  objects: readonly ChangedObject[],
  { ledger, count, rate }: LoadOptions,
): Promise<void> {
  const startedAt = performance.now()
  const changes = new Set<Promise<void>>()
  const failures: unknown[] = []
  let turn = 0

  async function change(object: ChangedObject): Promise<void> {
    object.isBusy = true
    const number = ledger.next()
    const beganAt = performance.now()
    await object.change(number)
    ledger.triggered(number, { object: object.name, beganAt })
    object.isBusy = false
  }

  for (let made = 0; made < count && failures.length === 0; await setTimeout(TICK_MS)) {
    const due = Math.min(count, Math.floor(((performance.now() - startedAt) * rate) / 1_000))
    for (let tries = 0; made < due && tries < objects.length; tries++) {
      const object = objects[turn++ % objects.length]
      if (!object || object.isBusy) continue
      made++
      const ended = change(object)
        .catch((error: unknown) => failures.push(error))
        .then(() => void changes.delete(ended))
      changes.add(ended)
    }
  }
  await Promise.all(changes)
  if (failures.length > 0) throw failures[0]
}
