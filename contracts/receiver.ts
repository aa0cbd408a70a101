import { EXAMPLES, type Example } from '../spec/generated/examples.ts'
import { notifiedTypes, testMessage, type NotifiedType } from '../spec/notifications.ts'
import { readingValues } from '../spec/readings.ts'
import type { ObjectWrite, ServedSandbox } from '../sandbox/index.ts'
import type { Receiver } from './check.ts'

/** The receiver at `template`, where `{object_type}` stands for the type, as called by a running sandbox. */
export function receiverAt(template: string, sandbox: ServedSandbox): Receiver {
  return {
    types: typesOf(template),
    testBody: JSON.stringify(testMessage(readingValues()['test-text'])),
    deliver: async (type, body) => (await sandbox.deliver(urlFor(template, type), body)).outcome,
    async bodies(type) {
      const fresh = EXAMPLES.filter((example) => example.type === type).map((example) =>
        withId(example, sandbox.context.newId()),
      )
      await sandbox.commit(fresh.flatMap(seedOf))
      return fresh
    },
  }
}

/** Puts the object where the receiver may ask for it; a flat body holds none. */
function seedOf({ type, body }: Example): ObjectWrite[] {
  if ('event' in body) return []
  const objects: ObjectWrite['object'][] = Object.values(body)
  return objects.map((object) => ({ kind: 'object', object_type: type, object, silent: true }))
}

/** The types that a URL is for: the one that it names, or all where it has a place for the type or names none. */
function typesOf(template: string): readonly NotifiedType[] {
  const named = notifiedTypes.filter((type) => template.split('/').includes(type))
  return named.length > 0 ? named : notifiedTypes
}

/** A platform may have one URL for all types: then there is nothing to replace. */
function urlFor(template: string, type: NotifiedType): string {
  return template.replaceAll('{object_type}', type)
}

/** The same body about an object that the receiver has not heard of yet. */
function withId(example: Example, id: string): Example {
  const object: unknown = Reflect.get(example.body, example.type) ?? example.body
  const old: unknown =
    typeof object === 'object' && object !== null
      ? (Reflect.get(object, 'uuid') ?? Reflect.get(object, 'id'))
      : undefined
  if (typeof old !== 'string') return example
  return { ...example, body: JSON.parse(JSON.stringify(example.body).replaceAll(old, id)) }
}
