import { expect, test } from 'vitest'
import { failed } from '../../../contracts/finding.ts'
import { excerptBody } from '../../../contracts/report/excerpt.ts'
import { checkText } from '../../../contracts/report/check-text.ts'
import { buildExchange, buildResult, REPORT_OPTIONS } from '../support/run-results.ts'

const long = JSON.stringify({ a: 'a'.repeat(20_000), state: 'odd', z: 'z'.repeat(9_000) })

test('excerptBody() returns the text around the deciding field and names the option for the full body', () => {
  const part = excerptBody(long, 'state')

  expect(part).toMatch(/^\(\d+ characters\) … a+","state":"odd","z":"z+ … \(\d+ more characters\); /)
  expect(part).toContain(`--report-full, shows all ${long.length} characters`)
})

test('checkText() shows an excerpt of a long response', () => {
  const sent = buildExchange('items completed', {
    status: 500,
    response: { status: 500, headers: [], body: 'x'.repeat(1e6) },
  })
  const finding = failed('2xx', '500', { exchanges: [sent] })

  const text = checkText(
    buildResult(finding, { events: [{ kind: 'sent', atMs: 0, exchange: sent }] }),
    REPORT_OPTIONS,
  )

  expect(text.length).toBeLessThan(4_000)
  expect(text).toContain('(998000 more characters)')
})
