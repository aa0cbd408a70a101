import type { Lookup } from '../../../sandbox/adapters/transport/lookup.ts'

/** A name server that knows these addresses, of any name. */
export const resolvesTo =
  (...addresses: readonly string[]): Lookup =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

/** What the system answers with this error. */
export const failsWith =
  (code: string): Lookup =>
  (_name, _options, callback) =>
    callback(Object.assign(new Error(code), { code }), [])

/** A name server that never answers. */
export const MUTE: Lookup = () => undefined
