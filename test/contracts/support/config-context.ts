import type { ConfigContext } from '../../../contracts/config/config-context.ts'

export const context: ConfigContext = {
  name: 'config "hookbench.config.ts"',
  ids: ['order/final-then-earlier', 'http/answers-in-time'],
  freshSeed: () => 42,
  freshSalt: () => 'salt',
  freshName: () => 'k3f9c1d2',
  freshSecret: () => 'an unguessable secret',
  credentials: {},
  world: undefined,
  readToken: () => undefined,
  findTrustedCas: () => undefined,
  findBench: () => ({ url: 'http://127.0.0.1:4099', token: 'its token' }),
  readFile: (path) => {
    if (path === 'my-ca.pem') return PEM
    if (path === 'empty.pem') return ''
    throw new RangeError(`"${path}" cannot be read`)
  },
}

export const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
