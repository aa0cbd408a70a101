import type { RequestBodyObject } from 'openapi3-ts/oas31'
import { listOperations, type DocumentOperation, type SpecDocument } from '../../spec/document.ts'
import type { FaultKinds } from '../../spec/faults.ts'
import { generatedPage, type GeneratedFile } from '../generated-file.ts'
import { fieldTable, markdownTable } from './markdown.ts'

export function controlPage(control: SpecDocument, faults: FaultKinds): GeneratedFile {
  const operations = listOperations(control)
  const requests = [...new Set(operations.flatMap(requestNames))].toSorted()
  return generatedPage(import.meta.url, 'spec/generated/bench.md', [
    '# The bench',
    '',
    `${control.openapi.info.description ?? ''} Requests and responses are JSON. The body of an error is \`{"error": {code, message, field?, hint?, command?}}\`.`,
    '',
    '## Operations',
    '',
    ...markdownTable(['Operation', 'What', 'Takes'], operations.map(operationRow)),
    '## Requests',
    '',
    'You can omit a field that is marked `not always there`.',
    '',
    ...requests.flatMap((name) => requestPage(name, control)),
    '## Faults',
    '',
    'A fault applies to the deliveries or calls that match it, at most `times` times. Several faults apply in the order in which',
    'they were added. A fault skips the first `skip` matches. With `probability`, a fault applies at random. The same `seed`',
    'repeats the random choices. Delays are real milliseconds.',
    '',
    ...Object.entries(faults).flatMap(([on, kinds]) => [
      `### ${on}`,
      '',
      ...markdownTable(
        ['Kind', 'What', 'Settings'],
        Object.entries(kinds).map(([kind, { about, takes, needs = [] }]) => [
          `\`${kind}\``,
          about,
          takes
            .map((name) => `\`${name}\`${needs.includes(name) && needs.length === 1 ? ' (needed)' : ''}`)
            .join(', '),
        ]),
      ),
    ]),
  ])
}

function operationRow(entry: DocumentOperation): string[] {
  const { method, path, operation } = entry
  return [
    `\`${method.toUpperCase()} ${path}\``,
    [operation.summary, operation.description].filter((text) => text !== undefined).join('. '),
    [
      ...requestNames(entry).map((name) => `[${name}](#${name.toLowerCase()})`),
      ...parameterNames(entry),
    ].join(', '),
  ]
}

function parameterNames({ operation }: DocumentOperation): string[] {
  return (operation.parameters ?? []).flatMap((parameter) => {
    if ('$ref' in parameter || parameter.in === 'path') return []
    return [parameter.in === 'query' ? `\`?${parameter.name}\`` : `\`${parameter.name}\``]
  })
}

function requestNames({ operation }: DocumentOperation): string[] {
  const body: RequestBodyObject | undefined =
    operation.requestBody && 'content' in operation.requestBody ? operation.requestBody : undefined
  const [schema] = Object.values(body?.content ?? {}).map((content) => content.schema)
  return schema && '$ref' in schema ? [schema.$ref.replace(/^.*\//, '')] : []
}

function requestPage(name: string, { schemas }: SpecDocument): string[] {
  const schema = schemas[name] ?? {}
  const fields = schema.properties ? fieldTable(schema, schemas) : []
  return [`### ${name}`, '', schema.description ?? '', '', ...fields]
}
