import type {
  AttachedService,
  OwnService,
  Profile,
  ReceiverOptions,
} from '../../../contracts/toolkit/options.ts'
import type { listSecrets } from '../../../contracts/run/run-secrets.ts'
import { defaultCredentials } from '../../../sandbox/engine/core/settings.ts'
import { readingValues } from '../../../spec/readings.ts'

export function receiverOptions(fields: Partial<ReceiverOptions> = {}): ReceiverOptions {
  return { urls: {}, ca: undefined, headers: {}, callsBack: false, source: undefined, ...fields }
}

export const OWN_SERVICE: OwnService = {
  kind: 'own',
  port: 0,
  data: '',
  allowTargets: [],
  credentials: defaultCredentials,
}

export function attachedService(fields: Partial<AttachedService> = {}): AttachedService {
  return {
    kind: 'attached',
    url: 'http://a',
    token: 'a token',
    world: undefined,
    ownWorld: undefined,
    data: '.',
    trustedCas: undefined,
    keepsWorld: false,
    isConducted: false,
    credentials: defaultCredentials,
    ...fields,
  }
}

export function profileOf(fields: Partial<Profile> = {}): Profile {
  return {
    readings: readingValues(),
    callsBack: true,
    unused: [],
    consequences: {},
    source: undefined,
    signed: false,
    budgetMs: 10_000,
    warnMs: 5_000,
    ...fields,
  }
}

type SecretHolder = Parameters<typeof listSecrets>[0]

/** Returns options without secrets. `fields` overrides individual options. */
export function secretHolder(fields: Partial<SecretHolder> = {}): SecretHolder {
  const nothing = { effects: undefined, reconcile: undefined, secret: undefined }
  return { receiver: receiverOptions(), service: OWN_SERVICE, ...nothing, ...fields }
}
