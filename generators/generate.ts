import { readDocument, readExamples, readYaml } from '../spec/document.ts'
import { data } from './data.ts'
import { examples } from './examples.ts'
import type { GeneratedFile } from './generated-file.ts'
import { notifications } from './notifications.ts'
import { operations } from './operations.ts'
import { types } from './types.ts'
import { validators } from './validators.ts'

const DOCUMENTS = { service: 'openapi.yaml', control: 'control.yaml' }
const DATA = ['delivery', 'lifecycles', 'readings']

/** Every generated file, as text. */
export async function generate(): Promise<GeneratedFile[]> {
  const files: GeneratedFile[] = []
  for (const [name, file] of Object.entries(DOCUMENTS)) {
    const document = readDocument(file)
    files.push(await types(document, `${name}-types`), validators(document, name), operations(document, name))
  }
  files.push(examples(readExamples()))
  files.push(notifications(readDocument(DOCUMENTS.service)))
  files.push(...DATA.map((name) => data(name, readYaml(`${name}.yaml`))))
  return files
}
