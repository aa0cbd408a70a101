import { readDocument, readExamples, readSource, readYaml, type SpecDocument } from '../spec/document.ts'
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
import { promises } from './promises.ts'
import { reference } from './reference.ts'
import { runtimeSource, RUNTIME } from './runtime-source.ts'
import { schemaData } from './schemas.ts'
import { types } from './types.ts'
import { validators } from './validators.ts'

const DATA = ['delivery', 'faults', 'readings']

/** Every generated file, as text. */
export async function generate(): Promise<GeneratedFile[]> {
  const service = readDocument('openapi.yaml')
  const control = readDocument('control.yaml')
  const reading = tolerant(service.schemas, ['Notification'])
  const lifecycles = readYaml<Lifecycles>('lifecycles.yaml')
  checkPayments(lifecycles)
  return [
    bundle(service),
    await types(service.schemas, 'service-types'),
    validators(service.schemas, 'service'),
    operations(service, 'service'),
    await types(control.schemas, 'control-types'),
    validators(control.schemas, 'control'),
    operations(control, 'control'),
    await types(reading, 'tolerant-types'),
    validators(reading, 'tolerant'),
    schemaData(service.schemas, ['Notification', 'TestMessage']),
    notifications(service),
    models(service),
    examples(readExamples()),
    runtimeSource(RUNTIME.map((name) => [name, readSource(`${name}.ts`)])),
    promises(readYaml('trace.yaml')),
    data('lifecycles', lifecycles),
    ...DATA.map((name) => data(name, readYaml(`${name}.yaml`))),
    ...(await config(service, lifecycles)),
    bench(control, readYaml('faults.yaml')),
    reference({ service, lifecycles, readings: readYaml('readings.yaml') }),
  ]
}

/** The schema of the configuration, its types and its validator. */
function config(service: SpecDocument, { payments }: Lifecycles): Promise<GeneratedFile[]> {
  return configFiles(readYaml('config.schema.yaml'), {
    readings: readingSchemas(readYaml('readings.yaml')),
    'payment-kinds': Object.fromEntries(Object.keys(payments).map((kind) => [kind, {}])),
    'object-types': Object.fromEntries(notificationRows(service).map(([type]) => [type, {}])),
  })
}
