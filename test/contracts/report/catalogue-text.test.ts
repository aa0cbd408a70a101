import { expect, test } from 'vitest'
import { explainText, listText } from '../../../contracts/report/catalogue-text.ts'
import { PLAIN_SCREEN } from '../../../contracts/report/columns.ts'
import { buildCheck } from '../support/run-results.ts'

const order = buildCheck('order/final-then-earlier', {
  needs: ['effects'],
  readings: ['retry-window'],
  uses: ['calls'],
  alone: true,
})
const trust = buildCheck('trust/other-url-token', { severity: 'should', negative: true })

test('listText() lists checks by topic with severity, required observation and requirement', () => {
  const lines = listText([order, trust], PLAIN_SCREEN).split('\n')

  expect(lines).toEqual([
    'order',
    expect.stringMatching(/^ {2}order\/final-then-earlier +must +effects$/),
    `      ${order.requirement}`,
    '',
    'trust',
    expect.stringMatching(/^ {2}trust\/other-url-token +should +answers$/),
    `      ${trust.requirement}`,
    '',
    '2 checks. To read about a check, run npx hookbench check --explain ID',
  ])
})

test('explainText() describes all properties of a check', () => {
  const text = explainText(order, PLAIN_SCREEN)

  for (const part of [
    'order/final-then-earlier  MUST · effects',
    'Document  L217 (§3): Notifications arrive in the order of the transitions.',
    'Readings  retry-window (default 24h): The document lists five retry timings',
    'Observed  The check needs effects.http.',
    'The check can observe more if you set receiver.callsBack.',
    'The check runs alone.',
    `Meaning   A payout that has been made`,
    'Fix       Ask the service for the object',
    'Run it    npx hookbench check URL order/final-then-earlier',
  ]) {
    expect(text).toContain(part)
  }
})
