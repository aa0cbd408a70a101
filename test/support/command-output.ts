import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import document from '../../spec/generated/command-output.schema.json' with { type: 'json' }

const definitions: Readonly<Record<string, unknown>> = document.$defs
/** What prints an object a line. */
const BY_LINE = new Set(['up', 'demo', 'events'])
let ajv: Ajv2020 | undefined

/** Throws unless what a command printed with `--json` is what its schema says, and nothing that it does not have. */
export function requireDeclaredOutput(args: readonly string[], stdout: string): void {
  const name = commandIn(args)
  const texts = BY_LINE.has(name) ? stdout.trim().split('\n') : [stdout]
  for (const text of texts) requireDeclared(name, JSON.parse(text))
}

/** The same for what a command that failed printed to the standard error. */
export function requireDeclaredError(stderr: string): void {
  requireDeclared('error', JSON.parse(stderr.trim().split('\n').at(-1) ?? ''))
}

export function requireDeclared(name: string, value: unknown): void {
  const validate = findValidator(name)
  if (validate(value)) return
  const problems = (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  )
  throw new Error(`"${name}" has printed what its schema does not have: ${problems.join('\n')}`)
}

function findValidator(name: string): ValidateFunction {
  ajv ??= new Ajv2020({ strict: false, validateFormats: false, allErrors: false }).addSchema(
    document,
    'output',
  )
  const validate = ajv.getSchema(`output#/$defs/${encodeURIComponent(name)}`)
  if (validate) return validate
  throw new Error(`There is no schema of what "${name}" prints`)
}

/** The words of the command that these arguments begin with. */
function commandIn([first = '', second = '']: readonly string[]): string {
  const longer = `${first} ${second}`
  return Object.hasOwn(definitions, longer) ? longer : first
}
