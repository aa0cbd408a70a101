import { expect, test } from 'vitest'
import { generate } from '../../generators/generate.ts'
import { operations } from '../../generators/operations.ts'
import { validators } from '../../generators/validators.ts'
import type { SpecDocument } from '../../spec/document.ts'
import type { JsonSchemas } from '../../spec/json-schema.ts'

test('generate() makes the same bytes twice', async () => {
  expect(await generate()).toEqual(await generate())
}, 60_000)

test('generated validators call no require', async () => {
  const files = await generate()

  expect(files.filter(({ text }) => text.includes('require(')).map(({ path }) => path)).toEqual([])
})

test('operations() refuses a reply that is not a named schema', () => {
  const document: SpecDocument = {
    schemas: {},
    openapi: {
      openapi: '3.1.1',
      info: { title: 'Small', version: '1' },
      paths: {
        '/pets': { get: { operationId: 'listPets', responses: { '200': { description: 'Pets.' } } } },
      },
    },
  }

  expect(() => operations(document, 'small')).toThrow('Cannot generate "listPets 200"')
})

test('validators() refuses a keyword that it does not know', () => {
  const schemas: JsonSchemas = { Pet: JSON.parse('{"type":"object","colour":"red"}') }

  expect(() => validators(schemas, 'small')).toThrow('unknown keyword: "colour"')
})
