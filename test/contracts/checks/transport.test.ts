import { expect, test } from 'vitest'
import type { SeenCertificate, TlsProbe, TlsObservation } from '../../../contracts/toolkit/ports.ts'
import { GOOD_TLS } from '../support/check-context.ts'
import { checksOf, findingOf } from '../support/verdicts.ts'

const run = (name: string, tls: TlsProbe) => findingOf(`transport/${name}`, { tls })

const NOW = Date.parse('2026-06-01T12:00:00.000Z')
const DAY_MS = 86_400_000
const after = (days: number) => new Date(NOW + days * DAY_MS).toISOString()

const LEAF: SeenCertificate = {
  subject: 'CN=receiver.test',
  issuer: 'CN=Intermediate',
  notBefore: after(-30),
  notAfter: after(60),
  names: ['DNS:receiver.test'],
}
const INTERMEDIATE = { ...LEAF, subject: 'CN=Intermediate', issuer: 'CN=Root', names: [] }
const SEEN: TlsObservation = { ...GOOD_TLS, chain: [LEAF, INTERMEDIATE], seenAt: after(0) }

const leaf = (fields: Partial<SeenCertificate>, rest: Partial<TlsObservation> = {}): TlsObservation => ({
  ...SEEN,
  chain: [{ ...LEAF, ...fields }, INTERMEDIATE],
  ...rest,
})
const distrusted = (distrust: string, rest: Partial<TlsObservation> = {}): TlsObservation => ({
  ...SEEN,
  distrust,
  message: `Cannot trust "receiver.test:443": ${distrust}`,
  ...rest,
})
const SELF_SIGNED = distrusted('tls_self_signed', {
  chain: [{ ...LEAF, issuer: LEAF.subject }],
})
const ALONE = distrusted('tls_incomplete_or_untrusted_chain', { chain: [LEAF] })

const BROKEN: readonly (readonly [string, TlsProbe, readonly string[]])[] = [
  ['a self-signed certificate', SELF_SIGNED, ['trusted-chain', 'not-self-signed']],
  ['a certificate from an unknown CA', distrusted('tls_untrusted_ca'), ['trusted-chain']],
  ['a certificate for another host', distrusted('tls_hostname'), ['name-and-validity']],
  [
    'an expired certificate',
    leaf({ notAfter: after(-1) }, { distrust: 'tls_expired' }),
    ['name-and-validity', 'expires-soon'],
  ],
  [
    'a certificate that becomes valid tomorrow',
    leaf({ notBefore: after(1) }, { distrust: 'tls_not_yet_valid' }),
    ['name-and-validity'],
  ],
  ['a certificate that expires in 13 days', leaf({ notAfter: after(13.9) }), ['expires-soon']],
  ['no intermediate certificate', ALONE, ['trusted-chain', 'sends-intermediates']],
]

test.each(BROKEN)('a receiver with %s fails exactly the expected checks', async (_, tls, names) => {
  const failing = []
  for (const check of checksOf('transport')) {
    const { kind } = await findingOf(check, { tls })
    if (kind === 'failed') failing.push(check.id.replace('transport/', ''))
  }

  expect(failing).toEqual(names)
})

test.each(checksOf('transport'))(
  'the check $id passes a valid certificate, even when a root CA issued the certificate directly',
  async (check) => {
    const direct = { ...SEEN, chain: [{ ...LEAF, issuer: 'CN=Root' }] }

    for (const tls of [SEEN, direct]) expect(await findingOf(check, { tls })).toEqual({ kind: 'passed' })
  },
)

test.each(checksOf('transport'))('the check $id does not judge an unreachable receiver', async (check) => {
  const tls = { kind: 'failed', reason: 'ECONNREFUSED', message: 'Nothing listens there' } as const

  expect(await findingOf(check, { tls })).toMatchObject({
    kind: 'inconclusive',
    cause: 'unreachable',
    why: 'Nothing listens there',
  })
})

test.each(checksOf('transport'))('the check $id is not observable over plain http', async (check) => {
  expect(await findingOf(check, { template: 'http://receiver.test/{object_type}' })).toMatchObject({
    kind: 'not-observable',
    why: 'the receiver has no https URL',
  })
})

test('the check "trusted-chain" fails a receiver without TLS, and other TLS checks find no certificate', async () => {
  const tls = { kind: 'failed', reason: 'ERR_SSL_WRONG_VERSION_NUMBER', message: 'wrong version' } as const
  const kinds = []
  for (const check of checksOf('transport')) kinds.push((await findingOf(check, { tls })).kind)

  expect(kinds).toEqual(['failed', ...Array.from({ length: 4 }, () => 'not-observable')])
})

test('the check "not-self-signed" fails a receiver with a self-signed certificate even if this machine trusts it', async () => {
  const tls = { ...SEEN, chain: [{ ...LEAF, issuer: LEAF.subject }] }

  expect(await run('not-self-signed', tls)).toMatchObject({
    kind: 'failed',
    actual: 'receiver.test: the certificate is self-signed',
  })
})

test.each([
  [['DNS:receiver.test'], 'passed'],
  [['DNS:*.test'], 'passed'],
  [['DNS:other.test', 'DNS:receiver.test'], 'passed'],
  [['DNS:*.receiver.test'], 'failed'],
  [[], 'failed'],
])('the check "name-and-validity" judges the names %j when the chain is untrusted', async (names, kind) => {
  const tls = leaf({ names }, { distrust: 'tls_untrusted_ca' })

  expect(await run('name-and-validity', tls)).toMatchObject({ kind })
})
