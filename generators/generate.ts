import { readDocument, readExamples, readYaml, type SpecDocument } from '../spec/document.ts'
import { tolerant } from '../spec/tolerant.ts'
import { bench } from './bench.ts'
import { bundle } from './bundle.ts'
import { checkPayments } from './check-payments.ts'
import { configFiles, readingSchemas } from './config-schema.ts'
import { data } from './data.ts'
import { examples } from './examples.ts'
import type { GeneratedFile } from './generated-file.ts'
import type { Lifecycles } from './lifecycle-pages.ts'
import { models } from './models.ts'
import { notificationRows, notifications } from './notifications.ts'
import { operations } from './operations.ts'
import { parseDocument } from './platform/check-document.ts'
import { promises } from './promises.ts'
import { reference } from './reference.ts'
import { types } from './types.ts'

const DATA = ['delivery', 'faults', 'readings']

/** Every generated file, as text. */
export async function generate(): Promise<GeneratedFile[]> {
  const service = parseDocument(readDocument('openapi.yaml').openapi)
  const control = parseDocument(readDocument('control.yaml').openapi)
  const reading = tolerant(service.schemas, ['Notification'])
  const lifecycles = readYaml<Lifecycles>('lifecycles.yaml')
  checkPayments(lifecycles)
  return [
    bundle(service, 'openapi'),
    bundle(control, 'control'),
    await types(service.schemas, 'service-types'),
    operations(service, 'service'),
    await types(control.schemas, 'control-types'),
    operations(control, 'control'),
    await types(reading, 'tolerant-types'),
    notifications(service),
    models(service),
    examples(readExamples()),
    promises(readYaml('trace.yaml')),
    data('lifecycles', lifecycles),
    ...DATA.map((name) => data(name, readYaml(`${name}.yaml`))),
    ...(await config(service, lifecycles)),
    bench(control, readYaml('faults.yaml')),
    reference({ service, lifecycles, readings: readYaml('readings.yaml') }),
  ]
}

/** The schema of the configuration, and its types. */
function config(service: SpecDocument, { payments }: Lifecycles): Promise<GeneratedFile[]> {
  return configFiles(readYaml('config.schema.yaml'), {
    readings: readingSchemas(readYaml('readings.yaml')),
    'payment-kinds': Object.fromEntries(Object.keys(payments).map((kind) => [kind, {}])),
    'object-types': Object.fromEntries(notificationRows(service).map(([type]) => [type, {}])),
  })
}
