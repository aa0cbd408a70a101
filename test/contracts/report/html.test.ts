import { expect, test } from 'vitest'
import { htmlReport } from '../../../contracts/report/html.ts'
import { hostileRun, wholeRun, REPORT_OPTIONS } from '../support/run-results.ts'

const options = REPORT_OPTIONS

test('the page asks nobody for anything', () => {
  expect(htmlReport(wholeRun(), options)).not.toMatch(/\b(src|href|@import|url)\b\s*[=(]/)
})

test('each check is in the page, and those that failed are unfolded', () => {
  const page = htmlReport(wholeRun(), options)

  expect(page.match(/<details class="check /g)).toHaveLength(14)
  expect(
    [...page.matchAll(/<details class="check \S+ data-verdict="(.*?)" open>/g)].map(([, verdict]) => verdict),
  ).toEqual(['failed', 'failed', 'passed'])
})

test('the timeline of a failed check is drawn: deliveries, calls back, effects', () => {
  const [svg = ''] = /<svg class="timeline"[^]*?<\/svg>/.exec(htmlReport(wholeRun(), options)) ?? []

  expect([...svg.matchAll(/class="arrow (\w+)/g)].map(([, look]) => look)).toEqual([
    'out',
    'back',
    'call',
    'back',
    'out',
    'back',
  ])
  expect(svg).toContain('>204 in 3 ms<')
  expect([...svg.matchAll(/class="effect effect-(\d)"/g)].map(([, effects]) => effects)).toEqual([
    '0',
    '1',
    '2',
  ])
})

test('nothing from outside becomes markup', () => {
  const page = htmlReport(hostileRun(), options)

  expect(page.match(/<script>/g)).toHaveLength(1)
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  // oxlint-disable-next-line no-control-regex -- these are the characters that must not be there
  expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/)
  expect(page.isWellFormed()).toBe(true)
})

test('what is unfolded is folded again', () => {
  const page = htmlReport(hostileRun(), options)

  for (const element of ['details', 'summary', 'div', 'svg', 'pre', 'dl', 'g', 'text', 'span']) {
    const opened = page.match(new RegExp(`<${element}[ >]`, 'g'))?.length
    expect([element, page.match(new RegExp(`</${element}>`, 'g'))?.length]).toEqual([element, opened])
  }
})
