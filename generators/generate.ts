import { readDocument, readExamples, readYaml, type SpecDocument } from '../spec/document.ts'
import { relaxSchemas } from '../spec/tolerant.ts'
import { configFiles, readingSchemas } from './files/config-schema.ts'
import { dataFile, documentFile, examplesFile, promisesFile } from './files/data.ts'
import { modelsFile, notificationsFile } from './files/notifications.ts'
import { operationsFile } from './files/operations.ts'
import { typesFile } from './files/types.ts'
import type { GeneratedFile } from './generated-file.ts'
import { controlPage } from './pages/control.ts'
import { referencePage } from './pages/reference.ts'
import { parseDocument } from './views/document.ts'
import type { Lifecycles } from './pages/lifecycles.ts'
import { notificationRows } from './views/notification-rows.ts'

const DATA = ['delivery', 'faults', 'readings']

export async function generate(): Promise<GeneratedFile[]> {
  const service = parseDocument(readDocument('openapi.yaml').openapi)
  const control = parseDocument(readDocument('control.yaml').openapi)
  const lifecycles = readYaml<Lifecycles>('lifecycles.yaml')
  return [
    documentFile(service, 'openapi'),
    documentFile(control, 'control'),
    await typesFile(service.schemas, 'service-types'),
    operationsFile(service, 'service'),
    await typesFile(control.schemas, 'control-types'),
    operationsFile(control, 'control'),
    await typesFile(relaxSchemas(service.schemas), 'tolerant-types'),
    notificationsFile(service),
    modelsFile(service),
    examplesFile(readExamples()),
    promisesFile(readYaml('trace.yaml')),
    dataFile('lifecycles', lifecycles),
    ...DATA.map((name) => dataFile(name, readYaml(`${name}.yaml`))),
    ...(await generateConfig(service, lifecycles)),
    controlPage(control, readYaml('faults.yaml')),
    referencePage({ service, lifecycles, readings: readYaml('readings.yaml') }),
  ]
}

function generateConfig(service: SpecDocument, { payments }: Lifecycles): Promise<GeneratedFile[]> {
  return configFiles(readYaml('config.schema.yaml'), {
    readings: readingSchemas(readYaml('readings.yaml')),
    'payment-kinds': Object.fromEntries(Object.keys(payments).map((kind) => [kind, {}])),
    'object-types': Object.fromEntries(notificationRows(service).map(([type]) => [type, {}])),
  })
}
