import { accepted, refused } from './urls.ts'
import type { FaultRow } from './row.ts'

/** What a URL may be, whatever its host. */
export const URL_ROWS: readonly FaultRow[] = [
  ...refused('D19', 'target_not_local', [
    'https://example.com/',
    'https://8.8.8.8/',
    'https://10.0.0.1:{port}/',
  ]),
  ...refused('D20', 'url_not_https', [
    'http://localhost:{port}/',
    'ftp://localhost/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'ws://localhost:{port}/',
  ]),
  ...accepted('D20', ['HTTPS://localhost:{port}/7d1c']),
  ...refused('D21', 'url_userinfo', ['https://u:p@localhost:{port}/', 'https://@localhost:{port}/']),
  ...refused(
    'D22',
    'url_malformed',
    ['https://local\nhost:{port}/', ' https://localhost:{port}/', 'https://localhost:{port}/a\tb'].concat(
      'https://localhost:{port}/\r\nx-header: y',
      'https://localhost:{port}/\0',
    ),
  ),
  ...refused('D23', 'url_malformed', [
    'https://good\\@localhost:{port}/',
    'https:localhost:{port}',
    'https:///localhost:{port}/',
  ]),
  ...refused('D24', 'url_malformed', ['https://localhost:0/', 'https://localhost:99999/']),
  {
    id: 'D24',
    what: 'has no port after the colon',
    outcome: 'target_is_sandbox',
    open: () => ({ url: 'https://localhost:/', ownPorts: [443] }),
  },
  ...refused('D25', 'target_not_local', ['https://bücher.example/', 'https://аpple.com/']),
  ...refused('D25', 'url_malformed', [
    'https://xn--a.localhost:{port}/',
    `https://${'a'.repeat(64)}.localhost:{port}/`,
    `https://${'a.'.repeat(125)}localhost:{port}/`,
    'https://a..localhost:{port}/',
    'https://under_score.localhost:{port}/',
  ]),
  ...refused('D26', 'url_too_long', [
    `https://localhost:{port}/${'x'.repeat(2_049)}`,
    `https://localhost:{port}/${'x'.repeat(65_536)}`,
    `https://localhost:{port}/${'x'.repeat(250_000)}`,
  ]),
  ...refused('D27', 'url_fragment', ['https://localhost:{port}/7d1c#part', 'https://localhost:{port}/7d1c#']),
  ...accepted('D27', ['https://localhost:{port}/hook?token=7d1c']),
  ...accepted('D28', ['https://localhost:{port}/']),
]
