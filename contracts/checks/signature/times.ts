import { checkForgeries, checkTaken } from './refusals.ts'
import type { ReceiverCheck } from '../../toolkit/check-context.ts'
import { signedAt } from '../../toolkit/forgery.ts'

const HOUR_S = 3_600
/** Longer than a delivery and a clock difference, shorter than any tolerance. */
const MOMENT_S = 30

export const timeChecks: readonly ReceiverCheck[] = [
  {
    id: 'signature/too-old',
    severity: 'should',
    requirement: 'The receiver does not act on a webhook that was signed an hour ago.',
    lines: [288],
    readings: ['signature', 'delivery-deadline'],
    needs: ['signature'],
    uses: ['effects'],
    negative: true,
    meaning:
      'Each retry has a new signature. A request with an old signature was recorded, and someone replays it at a chosen time.',
    remedy: 'Reject a webhook that was signed more than some minutes ago, by the t of its signature.',
    run: (context) => checkForgeries(context, [{ name: 'signed an hour ago', signature: signedAt(-HOUR_S) }]),
  },
  {
    id: 'signature/too-far-ahead',
    severity: 'should',
    requirement: 'The receiver does not act on a webhook that was signed an hour ahead of its clock.',
    lines: [288],
    readings: ['signature'],
    needs: ['signature'],
    uses: ['effects'],
    negative: true,
    meaning:
      "A signature with tomorrow's time, made once on a wrong clock, can be replayed until tomorrow. It never looks too old.",
    remedy: 'Check the difference of the times in both directions.',
    run: (context) =>
      checkForgeries(context, [{ name: 'signed an hour ahead', signature: signedAt(HOUR_S) }]),
  },
  {
    id: 'signature/clocks-apart',
    severity: 'should',
    requirement:
      'The receiver accepts a webhook that was signed half a minute ago, or half a minute ahead of its clock.',
    lines: [288],
    readings: ['signature', 'delivery-deadline'],
    needs: ['signature'],
    uses: ['effects'],
    meaning:
      'Clocks differ, and a delivery takes time. A receiver without a tolerance rejects true notifications whenever its clock drifts.',
    remedy: 'Allow a difference of some minutes, in both directions.',
    run: (context) =>
      checkTaken(context, [
        { name: 'signed half a minute ago', signature: signedAt(-MOMENT_S) },
        { name: 'signed half a minute ahead', signature: signedAt(MOMENT_S) },
      ]),
  },
]
