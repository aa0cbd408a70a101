import { expect, test } from 'vitest'
import { missingLine } from '../support/page-output.ts'

const PRINTED = [
  'Hookbench 0.1.0',
  '  service    http://127.0.0.1:4010                client sandbox / sandbox-secret',
  'Created items 5da8d374-4347-4e1e-966f-8a0a9e1bd933 (revision 1, pending)',
  '✗ 4 checks failed, 1 of them a must',
  '',
].join('\n')

test.each([
  ['  service  http://127.0.0.1:40999  client sandbox / sandbox-secret\n', undefined],
  ['Created items 7ebca696-21d7-496b-a582-f20b610ec7de (revision 2, pending)\n', undefined],
  ['Hookbench 0.2.0\n…\n✗ 9 checks failed, 2 of them a must\n', undefined],
  ['  service  http://127.0.0.1:4010  …\n', undefined],
  [
    'Created users 7ebca696-21d7-496b-a582-f20b610ec7de (revision 2, pending)\n',
    'Created users 7ebca696-21d7-496b-a582-f20b610ec7de (revision 2, pending)',
  ],
  ['✗ 4 checks failed, 1 of them a must\nHookbench 0.1.0\n', 'Hookbench 0.1.0'],
  ['4 checks failed, 1 of them a must\n', '4 checks failed, 1 of them a must'],
])('what %j shows was printed, or a line of it is named', (shown, missing) => {
  expect(missingLine(shown, PRINTED)).toBe(missing)
})
