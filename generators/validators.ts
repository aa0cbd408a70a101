import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import type { SpecDocument } from '../spec/document.ts'
import { generatedFile, type GeneratedFile } from './generated-file.ts'
import { standaloneSchema } from './standalone-schema.ts'

const ROOT = 'spec'
const REQUIRE = /^const (\w+) = require\("([^"]+)"\)(\.[\w.-]+)?;$/gm

/**
 * One standalone validator for each schema, by name. Requests report every field that is wrong, which is safe because
 * they are flat; everything else stops at the first, so that hostile data cannot make it collect errors without end.
 */
export function validators(document: SpecDocument, name: string): GeneratedFile {
  const { $defs } = standaloneSchema(document, ROOT)
  const names = Object.keys(document.schemas).toSorted()
  const isRequest = (schema: string) => schema.endsWith('Request')
  const modules = [
    compiled($defs, names.filter(isRequest), true),
    compiled(
      $defs,
      names.filter((n) => !isRequest(n)),
      false,
    ),
  ]

  return generatedFile(import.meta.url, `spec/generated/${name}-validators.ts`, [
    '// @ts-nocheck compiled by ajv',
    `import type { Validators } from '../validator.ts'`,
    `import type { Schemas } from './${name}-types.ts'`,
    `import formats from 'ajv-formats/dist/formats.js'`,
    `import ucs2length from 'ajv/dist/runtime/ucs2length.js'`,
    '',
    ...modules.map((code, index) => `const module${index} = (() => {\n${code}\n})()`),
    '',
    'export const validators: Validators<Schemas> = { ...module0, ...module1 }',
  ])
}

function compiled($defs: unknown, names: readonly string[], allErrors: boolean): string {
  const ajv = new Ajv2020({
    code: { source: true, esm: true, lines: true },
    allErrors,
    strict: true,
    allowUnionTypes: true,
  })
  addFormats.default(ajv)
  ajv.addSchema({ $id: ROOT, $defs })
  for (const schema of names) ajv.addSchema({ $id: schema, $ref: `${ROOT}#/$defs/${schema}` })
  const code = standaloneCode.default(ajv, Object.fromEntries(names.map((schema) => [schema, schema])))
  return asFunctionBody(code, names)
}

/** ajv emits an ES module that still calls `require`; the imports stand at the top of our file instead. */
function asFunctionBody(code: string, names: readonly string[]): string {
  const body = code
    .replaceAll('"use strict";', '')
    .replaceAll(REQUIRE, (...groups: string[]) => {
      const [, constant, module, member = ''] = groups
      if (module === 'ajv-formats/dist/formats') return `const ${constant} = formats${member};`
      if (module === 'ajv/dist/runtime/ucs2length') return `const ${constant} = ucs2length${member};`
      throw new SyntaxError(`Cannot import "${module}" into a validator: it is not known here`)
    })
    .replaceAll(/^export const (\w+) = (\w+);$/gm, 'const $1 = $2;')
  if (body.includes('require(')) throw new SyntaxError('Cannot generate validators: a require() is left')
  return `${body}\nreturn { ${names.join(', ')} };`
}
