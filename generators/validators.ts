import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import type { JsonSchemas } from '../spec/json-schema.ts'
import { generatedFile, type GeneratedFile } from './generated-file.ts'
import { plain } from './standalone-schema.ts'

const REQUIRE = /^const (\w+) = require\("([^"]+)"\)(\.[\w.-]+)?;$/gm

/**
 * One standalone validator for each of the roots, by name. Requests report every field that is wrong, which is safe because
 * they are flat, and so does a configuration, which is nobody else's; everything else stops at the first, so that hostile
 * data cannot make it collect errors without end.
 */
export function validators(
  schemas: JsonSchemas,
  name: string,
  roots: readonly string[] = Object.keys(schemas),
): GeneratedFile {
  const names = roots.toSorted()
  const listed = names.map((root) => `'${root}'`).join(' | ')
  const type = names.length < Object.keys(schemas).length ? `Pick<Schemas, ${listed}>` : 'Schemas'
  const isWhole = (schema: string) => schema.endsWith('Request') || schema === 'ConfigFile'
  const modules = [
    compiled(schemas, names.filter(isWhole), true),
    compiled(
      schemas,
      names.filter((n) => !isWhole(n)),
      false,
    ),
  ]

  return generatedFile(import.meta.url, `spec/generated/${name}-validators.ts`, [
    '// @ts-nocheck compiled by ajv',
    `import type { Validators } from '../validator.ts'`,
    `import type { Schemas } from './${name}-types.ts'`,
    `import formats from 'ajv-formats/dist/formats.js'`,
    '',
    ...modules.map((code, index) => `const module${index} = (() => {\n${code}\n})()`),
    '',
    `export const validators: Validators<${type}> = { ...module0, ...module1 }`,
  ])
}

function compiled(schemas: JsonSchemas, names: readonly string[], allErrors: boolean): string {
  const ajv = new Ajv2020({
    code: { source: true, esm: true, lines: true },
    allErrors,
    strict: true,
    allowUnionTypes: true,
    // Each schema is compiled once and called where it is referred to.
    inlineRefs: false,
  })
  addFormats.default(ajv)
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema({ $id: name, ...plain(schema, '') })
  const code = standaloneCode.default(ajv, Object.fromEntries(names.map((name) => [name, name])))
  return asFunctionBody(code, names)
}

/** ajv emits an ES module that still calls `require`; the imports stand at the top of our file instead. */
function asFunctionBody(code: string, names: readonly string[]): string {
  const body = code
    .replaceAll('"use strict";', '')
    .replaceAll(REQUIRE, (...groups: string[]) => {
      const [, constant, module, member = ''] = groups
      if (module === 'ajv-formats/dist/formats') return `const ${constant} = formats${member};`
      // Counts code points, as JSON Schema does.
      if (module === 'ajv/dist/runtime/ucs2length')
        return `const ${constant} = (text) => Array.from(text).length;`
      throw new SyntaxError(`Cannot import "${module}" into a validator: it is not known here`)
    })
    .replaceAll(/^export const (\w+) = (\w+);$/gm, 'const $1 = $2;')
  if (body.includes('require(')) throw new SyntaxError('Cannot generate validators: a require() is left')
  return `${body}\nreturn { ${names.join(', ')} };`
}
