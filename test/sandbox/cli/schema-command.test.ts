import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { UsageError } from '../../../sandbox/cli/failure.ts'
import { commandSchema } from '../../../sandbox/cli/schema-command.ts'
import document from '../../../spec/generated/command-output.schema.json' with { type: 'json' }
import { listCommands } from '../../support/all-commands.ts'

const commands = await listCommands()

/** What prints no answer of its own: help, scripts and schemas, and a command that only has others. */
const WITHOUT_JSON = new Set(['help', 'completion', 'schema', 'snapshot'])

test('every command that prints an answer has --json, and a schema of what it prints with that', () => {
  const described = Object.keys(document.$defs).filter((name) => /^[a-z]/.test(name) && name !== 'error')
  const answering = [...commands.keys()].filter((name) => !WITHOUT_JSON.has(name))

  expect(described.toSorted()).toEqual(answering.toSorted())
  for (const name of answering) {
    const command = commands.get(name)
    const options = [command, command?.parent].flatMap((each) => each?.options ?? [])
    expect(
      options.some(({ long }) => long === '--json'),
      name,
    ).toBe(true)
  }
})

test.each(Object.keys(document.$defs).filter((name) => /^[a-z]/.test(name)))(
  'the schema of "%s" stands alone, and lets nothing in that it does not have',
  (name) => {
    const schema = commandSchema(document, name)

    expect(() => new Ajv2020({ strict: false, validateFormats: false }).compile(schema)).not.toThrow()
    expect(openObjects(schema)).toEqual([])
  },
)

/** What is the user's own may have any field. */
const OPEN = new Set(['ObjectRecord.object', 'Fault.settings', 'Event.data', 'FaultSettings.set'])

/** Where an object of a schema may have fields that are not named. */
function openObjects(schema: object): readonly string[] {
  const found: string[] = []
  const visit = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return
    const { type, properties, additionalProperties } = part as Record<string, unknown>
    const isObject = type === 'object' && properties !== undefined
    if (isObject && additionalProperties !== false) found.push(path)
    if (!isObject && additionalProperties === true) found.push(path)
    for (const [key, value] of Object.entries(part)) {
      visit(value, ['$defs', 'properties'].includes(key) ? path : [path, key].filter(Boolean).join('.'))
    }
  }
  visit(schema, '')
  return found.filter((path) => !OPEN.has(path))
}

test('a command that is misspelt is told which was meant', () => {
  expect(() => commandSchema(document, 'fautls add')).toThrow(UsageError)
  expect(() => commandSchema(document, 'fautls add')).toThrow('did you mean "faults add"?')
  expect(() => commandSchema(document, 'JobPage')).toThrow('no such command prints JSON')
})
