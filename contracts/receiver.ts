import { EXAMPLES, type Example } from '../spec/generated/examples.ts'
import { notifiedTypes, testMessage, type NotifiedType } from '../spec/notifications.ts'
import { defaultSettings, type ServedSandbox } from '../sandbox/index.ts'
import type { Receiver } from './check.ts'

/** The receiver at `template`, where `{object_type}` stands for the type, as called by a running sandbox. */
export function receiverAt(template: string, sandbox: ServedSandbox): Receiver {
  return {
    types: notifiedTypes,
    testBody: JSON.stringify(testMessage(defaultSettings.readings['test-text'])),
    deliver: async (type, body) => (await sandbox.deliver(urlFor(template, type), body)).outcome,
    async bodies(type) {
      const fresh = EXAMPLES.filter((example) => example.type === type).map((example) =>
        withId(example, sandbox.context.newId()),
      )
      await sandbox.commit(
        fresh.map(({ body }) => ({ kind: 'object', object_type: type, object: body.items, silent: true })),
      )
      return fresh
    },
  }
}

/** A platform may have one URL for all types: then there is nothing to replace. */
function urlFor(template: string, type: NotifiedType): string {
  return template.replaceAll('{object_type}', type)
}

/** The same body about an object that the receiver has not heard of yet. */
function withId({ name, type, body }: Example, id: string): Example {
  const text = JSON.stringify(body).replaceAll(body.items.id, id)
  return { name, type, body: JSON.parse(text) }
}
