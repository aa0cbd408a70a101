import { onRequest } from '../../support/scripted-server.ts'
import {
  accepted,
  allowed,
  failsWith,
  forbidden,
  MUTE,
  OK,
  refused,
  resolvesTo,
  type Stage,
} from './stage.ts'
import { AFTER_SUCCESS, AT_DEADLINE, fault, type FaultRow, type FaultyReceiver } from './row.ts'

const answer = onRequest((socket) => socket.write(OK))

const LOCAL_NAME = 'https://localhost:{port}/hooks/7d1c'

const unresolved = (what: string, lookup: FaultyReceiver['lookup'], outcome: string): FaultRow => ({
  id: 'D01',
  what,
  outcome,
  ...(lookup === MUTE && AT_DEADLINE),
  open: forbidden(LOCAL_NAME, lookup && { lookup }),
})

const leadsTo = (id: FaultRow['id'], addresses: readonly string[], outcome = 'blocked_address'): FaultRow =>
  fault(
    id,
    `is a local name that leads to ${addresses.join(' and ')}`,
    outcome,
    forbidden(LOCAL_NAME, { lookup: resolvesTo(...addresses) }),
  )

export const ADDRESS_ROWS: readonly FaultRow[] = [
  unresolved('has a name that does not exist', failsWith('ENOTFOUND'), 'dns_not_found'),
  unresolved('has a name without addresses', resolvesTo(), 'dns_not_found'),
  unresolved('has a name that cannot be resolved now', failsWith('EAI_AGAIN'), 'dns_failed'),
  unresolved('has a name whose server fails', failsWith('ESERVFAIL'), 'dns_failed'),
  unresolved('has a name whose server is mute', MUTE, 'dns_timeout'),
  fault('D02', 'has a host name whose address changes', 'blocked_address', rebound, AFTER_SUCCESS),
  leadsTo('D03', ['127.0.0.1', '169.254.169.254']),
  leadsTo('D03', ['127.0.0.1', 'garbage']),
  leadsTo('D04', ['8.8.8.8']),
  fault(
    'D04',
    'has an allowed name that resolves to this machine',
    '200',
    allowed('https://receiver.test:{port}/7d1c', {
      allowTargets: ['receiver.test'],
      lookup: resolvesTo('127.0.0.1'),
    }),
  ),
  ...accepted('D05', ['https://2130706433:{port}/7d1c', 'https://①②⑦.⓪.⓪.①:{port}/7d1c']),
  ...refused('D06', 'target_not_local', ['https://012.0.0.1:{port}/']),
  ...accepted('D07', ['https://[::ffff:127.0.0.1]:{port}/7d1c']),
  ...refused('D08', 'blocked_address', ['https://[64:ff9b::a9fe:a9fe]:{port}/']),
  ...['::ffff:169.254.169.254', 'fe80::1%lo'].map((address) => leadsTo('D09', [address])),
  ...refused('D10', 'blocked_address', ['https://0:{port}/']),
  leadsTo('D10', ['::']),
  ...['169.254.169.254', 'METADATA.google.internal.'].map((host) =>
    fault(
      'D11',
      `is ${host}, where every address is allowed`,
      'blocked_address',
      forbidden(`https://${host}:{port}/`, { allowTargets: ['0.0.0.0/0', '::/0'] }),
    ),
  ),
  ...refused('D12', 'blocked_address', ['https://[fe80::1]:{port}/']),
  ...refused('D12', 'url_malformed', ['https://[fe80::1%25lo]:{port}/']),
  ...refused('D12', 'target_not_local', ['https://100.64.0.1:{port}/']),
  ...accepted('D13', ['https://LOCALHOST:{port}/7d1c', 'https://items.localhost:{port}/7d1c']),
  leadsTo('D13', ['192.168.1.1']),
  fault(
    'D14',
    'has an allowed name that resolves to a metadata service',
    'blocked_address',
    forbidden('https://169.254.169.254.nip.io:{port}/', {
      allowTargets: ['169.254.169.254.nip.io'],
      lookup: resolvesTo('169.254.169.254'),
    }),
  ),
  ...['localhost', '127.9.9.9', '[::1]'].map((host) =>
    fault('D15', `is the sandbox itself as ${host}`, 'target_is_sandbox', own(`https://${host}:{port}/`)),
  ),
  fault(
    'D15',
    'is the sandbox itself under an allowed name',
    'target_is_sandbox',
    own('https://receiver.test:{port}/', {
      allowTargets: ['receiver.test'],
      lookup: resolvesTo('127.0.0.1'),
    }),
  ),
  fault(
    'D16',
    'is 127.0.0.1, which needs no lookup',
    '200',
    allowed('https://127.0.0.1:{port}/7d1c', { lookup: failsWith('ENOTFOUND') }),
  ),
  fault(
    'D16',
    'is [::1], which needs no lookup',
    '200',
    allowed('https://[::1]:{port}/7d1c', { lookup: failsWith('ENOTFOUND') }, '::1'),
    { ipv6: true },
  ),
  fault(
    'D16',
    'has a local name that resolves to [::1]',
    '200',
    allowed('https://localhost:{port}/7d1c', { lookup: resolvesTo('::1') }, '::1'),
    { ipv6: true },
  ),
  fault('D17', 'is called while a proxy is configured', '200', besideProxy),
]

async function rebound(stage: Stage): Promise<FaultyReceiver> {
  const { url } = await stage.serve(
    onRequest((socket) => socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n`)),
  )
  const answers = [resolvesTo('127.0.0.1'), resolvesTo('169.254.169.254')]
  return {
    url,
    connections: 1,
    lookup: (...query) => (answers.length > 1 ? answers.shift() : answers[0])?.(...query),
  }
}

function own(url: string, rest: Omit<FaultyReceiver, 'url'> = {}): FaultRow['open'] {
  return async (stage) => {
    const { port } = await stage.forbid()
    return { ...rest, url: url.replace('{port}', String(port)), ownPorts: [port] }
  }
}

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'] as const

async function besideProxy(stage: Stage): Promise<FaultyReceiver> {
  const { port } = await stage.forbid()
  for (const name of PROXY_VARIABLES) {
    process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${port}`
    stage.onClose(() => delete process.env[name])
  }
  return stage.serve(answer)
}

/** Test URLs for each egress rule. The egress policy tests contain more spellings. */
export const URL_ROWS: readonly FaultRow[] = [
  ...refused('D19', 'target_not_local', ['https://example.com/', 'https://10.0.0.1:{port}/']),
  ...refused('D20', 'url_not_https', ['http://localhost:{port}/', 'file:///etc/passwd']),
  ...accepted('D20', ['HTTPS://localhost:{port}/7d1c']),
  ...refused('D21', 'url_userinfo', ['https://u:p@localhost:{port}/']),
  ...refused('D22', 'url_malformed', ['https://localhost:{port}/\r\nx-header: y']),
  ...refused('D23', 'url_malformed', ['https://good\\@localhost:{port}/']),
  ...refused('D24', 'url_malformed', ['https://localhost:0/']),
  fault('D24', 'has no port after the colon', 'target_is_sandbox', () => ({
    url: 'https://localhost:/',
    ownPorts: [443],
  })),
  ...refused('D25', 'target_not_local', ['https://bücher.example/']),
  ...refused('D25', 'url_malformed', ['https://xn--a.localhost:{port}/']),
  ...refused('D26', 'url_too_long', [`https://localhost:{port}/${'x'.repeat(65_536)}`]),
  ...refused('D27', 'url_fragment', ['https://localhost:{port}/7d1c#part']),
  ...accepted('D27', ['https://localhost:{port}/hook?token=7d1c']),
  ...accepted('D28', ['https://localhost:{port}/']),
]
