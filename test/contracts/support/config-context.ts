import type { ConfigContext } from '../../../contracts/config/run-options.ts'

/** What a configuration is read with, where there is no disk. */
export const context: ConfigContext = {
  name: 'config "hookbench.config.ts"',
  ids: ['order/final-then-earlier', 'http/answers-in-time'],
  bareUrl: false,
  freshSeed: () => 42,
  readToken: () => undefined,
  readCa: () => undefined,
  readFile: (path) => {
    if (path === 'my-ca.pem') return PEM
    if (path === 'empty.pem') return ''
    throw new RangeError(`"${path}" cannot be read`)
  },
}

export const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
