import { expect, test } from 'vitest'
import { commandOutputFile } from '../../../generators/files/command-output.ts'

const text = { type: 'string' }
const control = {
  Job: { type: 'object', properties: { at: { $ref: '#/components/schemas/At' } }, 'x-source': '§1' },
  At: text,
  Unused: text,
}

/** The definitions that are made for these commands. */
function definitionsOf(commands: Parameters<typeof commandOutputFile>[0]['commands'], own = {}) {
  return JSON.parse(commandOutputFile({ commands, schemas: own }, [control]).text).$defs
}

test('a command has the schema of what it prints, with what that refers to and no more', () => {
  expect(definitionsOf({ job: { schemas: ['Job'] } })).toEqual({
    job: { title: 'hookbench job --json', $ref: '#/$defs/Job' },
    At: text,
    Job: { type: 'object', properties: { at: { $ref: '#/$defs/At' } } },
  })
})

test('of a command that prints one of several any may come, and of lines it says so', () => {
  const { up } = definitionsOf({ up: { lines: true, schemas: ['At', 'Job'] } })

  expect(up).toMatchObject({
    description: 'Of each line.',
    anyOf: [{ $ref: '#/$defs/At' }, { $ref: '#/$defs/Job' }],
  })
})

test('what the commands say of a schema goes before what the APIs say of it', () => {
  expect(definitionsOf({ job: { schemas: ['Job'] } }, { At: { type: 'number' } })).toMatchObject({
    At: { type: 'number' },
  })
})

test('a schema that is nowhere is refused', () => {
  expect(() => definitionsOf({ job: { schemas: ['Jbo'] } })).toThrow('there is no schema Jbo')
})
