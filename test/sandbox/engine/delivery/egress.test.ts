import { expect, test } from 'vitest'
import { createEgress, type Egress } from '../../../../sandbox/engine/delivery/egress.ts'

const OWN_PORT = 4010

function local(...allowTargets: string[]): Egress {
  return createEgress({ allowTargets, ownPorts: () => [OWN_PORT, 443] })
}

function verdictOf(raw: string, egress = local()): string {
  const verdict = egress.judgeUrl(raw)
  return verdict.kind === 'allowed' ? verdict.url.href : verdict.refusal.code
}

const label = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text)

test.each([
  ['https://localhost:8443/hooks/3f9a', 'https://localhost:8443/hooks/3f9a'],
  ['HTTPS://LOCALHOST:8443/A?b=C', 'https://localhost:8443/A?b=C'],
  ['https://localhost.:8443/', 'https://localhost.:8443/'],
  ['https://items.localhost:8443/', 'https://items.localhost:8443/'],
  ['https://127.0.0.1:8443/', 'https://127.0.0.1:8443/'],
  ['https://127.8.9.10:8443/', 'https://127.8.9.10:8443/'],
  ['https://2130706433:8443/', 'https://127.0.0.1:8443/'],
  ['https://0177.0.0.1:8443/', 'https://127.0.0.1:8443/'],
  ['https://%31%32%37.0.0.1:8443/', 'https://127.0.0.1:8443/'],
  ['https://127。0。0。1:8443/', 'https://127.0.0.1:8443/'],
  ['https://[::1]:8443/', 'https://[::1]:8443/'],
  ['https://[::ffff:127.0.0.1]:8443/', 'https://[::ffff:7f00:1]:8443/'],
  [`https://localhost:8443/${'x'.repeat(2_025)}`, `https://localhost:8443/${'x'.repeat(2_025)}`],
])('judgeUrl() allows %j', (raw, canonical) => {
  expect(verdictOf(raw)).toBe(canonical)
})

test.each([
  ['http://localhost:8443/', 'url_not_https'],
  ['file:///etc/passwd', 'url_not_https'],
  ['localhost:8443', 'url_not_https'],
  ['', 'url_malformed'],
  ['nope', 'url_malformed'],
  ['https:localhost', 'url_malformed'],
  ['https://', 'url_malformed'],
  ['https://localhost\\@example.com/', 'url_malformed'],
  [' https://localhost/', 'url_malformed'],
  ['https://local\nhost/', 'url_malformed'],
  ['https://localhost/\r\nx-header: y', 'url_malformed'],
  ['https://localhost/\u0085', 'url_malformed'],
  ['https://localhost:0/', 'url_malformed'],
  ['https://a..b/', 'url_malformed'],
  ['https://under_score.localhost/', 'url_malformed'],
  [`https://${'a'.repeat(64)}.localhost/`, 'url_malformed'],
  [`https://${'a.'.repeat(125)}localhost/`, 'url_malformed'],
  ['https://user:secret@localhost/', 'url_userinfo'],
  ['https://@localhost/', 'url_userinfo'],
  ['https://localhost/#part', 'url_fragment'],
  ['https://localhost/#', 'url_fragment'],
  [`https://localhost/${'x'.repeat(2_031)}`, 'url_too_long'],
  ['https://example.com/', 'target_not_local'],
  ['https://bücher.example/', 'target_not_local'],
  ['https://notlocalhost/', 'target_not_local'],
  ['https://8.8.8.8/', 'target_not_local'],
  ['https://[2606:4700::1]/', 'target_not_local'],
  ['https://localhost:4010/', 'target_is_sandbox'],
  ['https://localhost/', 'target_is_sandbox'],
  ['https://[::ffff:127.0.0.1]:4010/', 'target_is_sandbox'],
  ['https://metadata.google.internal/', 'blocked_address'],
  ['https://0/', 'blocked_address'],
  ['https://[::]/', 'blocked_address'],
])('judgeUrl() rejects %j', (raw, code) => {
  expect(verdictOf(raw), label(raw)).toBe(code)
})

const NEVER = [
  ['0.0.0.0', '0.1.2.3', '::'],
  ['169.254.169.254', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', '::ffff:169.254.169.254'],
  ['fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ['224.0.0.1', '239.255.255.250', 'ff02::1', '240.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.1'],
  ['::127.0.0.1', '::a9fe:a9fe', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe', '2002:7f00:1::'],
  ['2001::1', '::ffff:0:7f00:1', '100::1', '2001:db8::1', 'fec0::1'],
  ['0177.0.0.1', '2130706433', '0x7f.1', '127.1', '127.0.0.1:80', '', 'localhost', 'garbage'],
].flat()

test.each(NEVER)('judgeAddress() rejects %j even when all targets are allowed', (address) => {
  const egress = local('receiver.example', '0.0.0.0/0', '::/0')

  expect(egress.judgeAddress(address, 8443, 'receiver.example')?.code).toBe('blocked_address')
})

test.each(['10.0.0.1', '100.64.0.1', '8.8.8.8', 'fd00::1', '2606:4700::1'])(
  'judgeAddress() rejects %s when the host name is local',
  (address) => {
    expect(local().judgeAddress(address, 8443, 'localhost')?.code).toBe('blocked_address')
  },
)

test.each([
  ['10.1.2.3', '10.0.0.0/8'],
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.0.0.0/8'],
  ['fd12::3', 'fd00::/8'],
  ['fd12::3', '[fd12::3]'],
  ['8.8.8.8', 'receiver.example'],
  ['8.8.8.8', 'RECEIVER.example.'],
])('judgeAddress() allows %s with --allow-target %s', (address, target) => {
  expect(local(target).judgeAddress(address, 8443, 'receiver.example')).toBeUndefined()
})

test('judgeAddress() does not apply an IPv4 range to IPv6 addresses', () => {
  const egress = local('0.0.0.0/0')

  expect(egress.judgeAddress('fd00::1', 8443, 'fd00::1')?.code).toBe('target_not_local')
})

test('judgeAddress() rejects a port of the sandbox even if the host name is allowed', () => {
  const egress = local('receiver.example')

  expect(egress.judgeAddress('127.0.0.1', OWN_PORT, 'receiver.example')?.code).toBe('target_is_sandbox')
})

test('judgeUrl() rejects a new port of the sandbox after the ports change', () => {
  let ports: number[] = []
  const egress = createEgress({ allowTargets: [], ownPorts: () => ports })
  const before = verdictOf('https://localhost:5000/', egress)

  ports = [5_000]

  expect([before, verdictOf('https://localhost:5000/', egress)]).toEqual([
    'https://localhost:5000/',
    'target_is_sandbox',
  ])
})

test.each([
  ['https://bücher.example/', 'bücher.example', 'https://xn--bcher-kva.example/'],
  ['https://аpple.com/', 'xn--pple-43d.com', 'https://xn--pple-43d.com/'],
  ['https://Receiver.Example:8443/a', 'receiver.example', 'https://receiver.example:8443/a'],
  ['https://10.0.0.7/', '10.0.0.0/24', 'https://10.0.0.7/'],
])(
  'judgeUrl() allows the URL %s with --allow-target %s and returns the canonical address',
  (raw, target, canonical) => {
    expect(verdictOf(raw, local(target))).toBe(canonical)
  },
)

test('judgeUrl() does not allow the subdomains of an allowed host', () => {
  expect(verdictOf('https://a.receiver.example/', local('receiver.example'))).toBe('target_not_local')
})

test.each([
  ['http://me:hush@a.test/', 'URL is not HTTPS: "http://…@a.test/"; write it as https://host:port/path'],
  ['nope', 'URL is malformed: "nope" is no URL; write it as https://host:port/path'],
])('judgeUrl() explains the rejection of %s and shows no password', (url, message) => {
  expect(local().judgeUrl(url)).toMatchObject({ refusal: { message } })
})

const UNREADABLE = [
  '10.0.0.0/99',
  'a..b',
  'https://example.com',
  'example.com:443',
  'example.com/x',
  '',
  'a@b',
]
const NEVER_CALLED = ['169.254.169.254', '224.0.0.1', 'metadata.google.internal']

test.each([...UNREADABLE, ...NEVER_CALLED])('createEgress() rejects %j as an allowed target', (target) => {
  expect(() => local(target)).toThrow(`Cannot allow target "${target}"`)
})
