import { expect, test } from 'vitest'
import { isSigned } from '../../../contracts/reference-receiver/starter/receiver.mjs'

// Made by openssl: test/spec/openapi.test.ts has the command.
const SECRET = 'xPpcHHoAOM'
const BODY = '{"event": "status_updated"}'
const V = 'MHs6orLEJg1W1wPqkL_8X24UjUVe-ZiAXtk2ICHotuQ'
const T = 1_257_894_000

interface Case {
  readonly header?: string | undefined
  readonly body?: string
  readonly secondsLater?: number
}

function isTaken({ body = BODY, secondsLater = 0, ...given }: Case): boolean {
  const header = 'header' in given ? given.header : `t=${T},v=${V}`
  const now = (T + secondsLater) * 1_000
  return isSigned({ header, body: new TextEncoder().encode(body), now }, ['another', SECRET])
}

test.each<readonly [string, Case]>([
  ['as it is', {}],
  ['first of two', { header: `t=${T},v=${V},v=x` }],
  ['second of two', { header: `t=${T},v=x,v=${V}` }],
  ['beside parts that nobody knows', { header: `a,b=,t=${T}, v=${V} ,vv=x,c=1=2` }],
  ['five minutes ago', { secondsLater: 300 }],
  ['in five minutes', { secondsLater: -300 }],
])('a signature is taken %s', (_, given) => {
  expect(isTaken(given)).toBe(true)
})

test.each<readonly [string, Case]>([
  ['that is not there', { header: undefined }],
  ['that is empty', { header: '' }],
  ['without a time', { header: `v=${V}` }],
  ['without a value', { header: `t=${T}` }],
  ['with an empty value', { header: `t=${T},v=` }],
  ['with no number for a time', { header: `t=now,v=${V}` }],
  ['with two times', { header: `t=${T},v=${V},t=${T}` }],
  ['with another time', { header: `t=${T + 1},v=${V}` }],
  ['that is cut', { header: `t=${T},v=${V.slice(0, -1)}` }],
  ['in other letters', { header: `t=${T},v=${V.toLowerCase()}` }],
  ['of another body', { body: `${BODY} ` }],
  ['of more than five minutes ago', { secondsLater: 301 }],
  ['of more than five minutes ahead', { secondsLater: -301 }],
])('a signature is refused %s', (_, given) => {
  expect(isTaken(given)).toBe(false)
})
