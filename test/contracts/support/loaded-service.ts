import type { Service } from '../../../contracts/run/service.ts'
import { readingValues } from '../../../spec/readings.ts'
import { testSandbox } from '../../support/test-sandbox.ts'
import { receiverOptions } from './run-options.ts'

export const LOADED = {
  receiver: receiverOptions({ urls: { webhooks: 'https://localhost:9443/hooks' }, callsBack: true }),
  readings: {},
  consequences: {},
}

/** Opens a service in memory with a stopped clock. */
export function openLoadedService(readings: Readonly<Record<string, string>> = {}): Service {
  const { perform, context } = testSandbox({ readings })
  const unused = () => Promise.reject(new Error('Nobody asks for it'))
  return {
    perform,
    url: 'http://127.0.0.1:4010',
    readings: readingValues(readings),
    translator: context.translator,
    passTime: () => Promise.resolve(''),
    trustedCas: [],
    webhooks: unused,
    close: unused,
  }
}
