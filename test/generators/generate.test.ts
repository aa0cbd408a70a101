import type { OperationObject } from 'openapi3-ts/oas31'
import { expect, test } from 'vitest'
import { generate } from '../../generators/generate.ts'
import { operationsFile } from '../../generators/files/operations.ts'
import { parseDocument } from '../../generators/views/document.ts'
import type { SpecDocument } from '../../spec/document.ts'

test('generate() makes the same bytes twice', async () => {
  expect(await generate()).toEqual(await generate())
}, 600_000)

const REPLY = {
  description: 'Pets.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Pets' } } },
}

/** A document with one operation. */
function documentWith(operation: OperationObject): SpecDocument {
  return {
    schemas: {},
    openapi: {
      openapi: '3.1.1',
      info: { title: 'Small', version: '1' },
      paths: { '/pets': { get: { operationId: 'listPets', ...operation } } },
    },
  }
}

test('operationsFile() refuses a reply that is not a named schema', () => {
  const document = documentWith({ responses: { '200': { description: 'Pets.' } } })

  expect(() => operationsFile(document, 'small')).toThrow('Cannot generate "listPets 200"')
})

test('operationsFile() refuses a family of errors that there is not', () => {
  const document = documentWith({ responses: { '200': REPLY }, 'x-errors': 'object' })

  expect(() => operationsFile(document, 'small')).toThrow(
    'its x-errors is "object"; it takes tokens, webhooks',
  )
})

test('a document with a keyword that no validator knows is refused', () => {
  const schemas = { Pet: JSON.parse('{"type":"object","colour":"red"}') }
  const openapi = {
    openapi: '3.1.1',
    info: { title: 'Small', version: '1' },
    paths: {},
    components: { schemas },
  }

  expect(() => parseDocument(openapi)).toThrow(
    '/components/schemas/Pet/colour is a keyword that is not known',
  )
})
