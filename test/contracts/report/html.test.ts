import { expect, test } from 'vitest'
import { htmlReport } from '../../../contracts/report/html.ts'
import { hostileRun, wholeRun, REPORT_OPTIONS as options } from '../support/run-results.ts'

test('the HTML report makes no network requests', () => {
  const page = htmlReport(wholeRun(), options)

  expect(page).not.toMatch(/\b(src|@import|url)\b\s*[=(]|<(?!a\b)[^>]* href=/)
})

test('the HTML report contains every check and opens the failed checks', () => {
  const page = htmlReport(wholeRun(), options)

  expect(page.match(/<details class="check /g)).toHaveLength(14)
  expect(
    [...page.matchAll(/<details class="check [^>]* data-verdict="(.*?)" open>/g)].map(
      ([, verdict]) => verdict,
    ),
  ).toEqual(['failed', 'failed', 'passed'])
})

test('each check in the HTML report has its own anchor, and every link has a target', () => {
  const page = htmlReport(wholeRun(), options)
  const places = [...page.matchAll(/ id="(.*?)"/g)].map(([, id]) => id)
  const links = [...page.matchAll(/ href="#(.*?)"/g)].map(([, id]) => id)

  expect(new Set(places).size).toBe(places.length)
  expect(places.filter((id) => id?.startsWith('check/'))).toHaveLength(14)
  expect(links.filter((id) => !places.includes(id))).toEqual([])
})

test('the HTML report closes every opened element', () => {
  const page = htmlReport(hostileRun(), options)

  for (const element of ['details', 'summary', 'div', 'ol', 'li', 'p', 'pre', 'dl', 'time', 'span']) {
    const opened = page.match(new RegExp(`<${element}[ >]`, 'g'))?.length
    expect([element, page.match(new RegExp(`</${element}>`, 'g'))?.length]).toEqual([element, opened])
  }
})
