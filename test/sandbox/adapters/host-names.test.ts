import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAddress, parseHost } from '../../../sandbox/adapters/host-names.ts'

const label = fc.stringMatching(/^[a-zA-Z0-9_]([a-zA-Z0-9_-]{0,8}[a-zA-Z0-9_])?$/)
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.webUrl(),
  fc.ipV4Extended(),
  fc.ipV6(),
  fc.domain(),
)

test('parseHost() parses its own output, and the output is valid in a URL', () => {
  fc.assert(
    fc.property(anything, fc.nat({ max: 99_999 }), fc.boolean(), (text, port, hasPort) => {
      const host = parseHost(hasPort ? `${text}:${port}` : text)
      if (host === undefined) return
      expect(parseHost(host)).toBe(host)
      expect(new URL(`https://${host}`).host).toBe(host.replace(/:443$/, ''))
    }),
  )
})

test('parseHost() lower-cases every valid name', () => {
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
      const name = labels.join('.')
      // URL parsers treat a host whose last label is a number as an address. A label with xn-- must be Punycode. The test
      // excludes names with such labels.
      fc.pre(!/(^|\.)(\d+|0x[\da-f]*)$/i.test(name) && !/(^|\.)xn--/i.test(name))
      expect(parseHost(name)).toBe(name.toLowerCase())
    }),
  )
})

test('parseAddress() parses every IP address and its own output', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const address = parseAddress(text) ?? ''
      expect([address === '', parseAddress(address), parseAddress(`[${address}]`)]).toEqual([
        false,
        address,
        address,
      ])
    }),
  )
})
