import { expect, test } from 'vitest'
import { signatureHeader } from '../../spec/signature.ts'

const [FIRST, SECOND] = ['k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9', 'a/different+secret=of~32_or-more!chars']
const BODY = '{"items":{"name":"Größe 42 ✓"}}'

// Each `v` was made with
//   printf '%s' "$T.$BODY" | openssl dgst -sha256 -hmac "$SECRET" -binary |
//     openssl base64 -A | tr '+/' '-_' | tr -d '='
test.each([
  [
    'the known answer',
    { secrets: ['xPpcHHoAOM'], t: 1_257_894_000, body: '{"event": "status_updated"}' },
    't=1257894000,v=MHs6orLEJg1W1wPqkL_8X24UjUVe-ZiAXtk2ICHotuQ',
  ],
  [
    'a body beyond ASCII',
    { secrets: [FIRST], t: 1_767_225_600, body: BODY },
    't=1767225600,v=SfT2PhDUcsbQVdZAUr17PJXVejLQijs0rluu2T8AH50',
  ],
  [
    'the same body as bytes',
    { secrets: [FIRST], t: 1_767_225_600, body: Buffer.from(BODY) },
    't=1767225600,v=SfT2PhDUcsbQVdZAUr17PJXVejLQijs0rluu2T8AH50',
  ],
  [
    'two secrets, in their order',
    { secrets: [SECOND, FIRST], t: 1_767_225_600, body: BODY },
    't=1767225600,v=dbNm3GPn1D87tzngrmFkLwWyLIjFC55-Ao65dcbV_JM,v=SfT2PhDUcsbQVdZAUr17PJXVejLQijs0rluu2T8AH50',
  ],
  ['no body', { secrets: [FIRST], t: 1, body: '' }, 't=1,v=fFDpFd8_bxfdozDgh9SISG9PgDctRCWPZo2ZUmxM99Y'],
])('signatureHeader() signs %s as openssl does', (_, { secrets, t, body }, expected) => {
  expect(signatureHeader(secrets, t, body)).toBe(expected)
})
