import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { PASSED, failed, notObservable, type Finding } from '../../finding.ts'
import { describeExchange, isAccepted, requireAccepted } from '../../toolkit/expectations.ts'
import { goldenMessage, oneExamplePerType } from '../../toolkit/golden-message.ts'
import { signedNow } from '../../toolkit/signatures.ts'
import { named } from './control.ts'

export const unsignedCallbacksCheck: ReceiverCheck = {
  id: 'signature/unsigned-callbacks',
  severity: 'must',
  requirement: 'The receiver accepts unsigned callbacks even if it verifies webhooks.',
  lines: [11, 288],
  readings: ['signature', 'delivery-success'],
  needs: ['signature', 'callbacks'],
  meaning:
    'Callbacks are never signed. A receiver that requires a signature rejects every callback, and cannot even register for them. The platform never acts on their payments.',
  remedy:
    'Verify signatures only at the URLs of webhooks. Protect the URLs of callbacks by their token and by the sender.',
  run: checkCallbacks,
}

/** One of each type. Whether a platform acts on both generations is its own affair, if it acts once. */
async function checkCallbacks(context: CheckContext): Promise<Finding> {
  const examples = oneExamplePerType(context.receiver.types('callbacks'))
  if (examples.length === 0) return notObservable('the receiver has no URL for callbacks')
  for (const example of examples) {
    const message = named(await goldenMessage(context, example), 'a callback')
    const sent = await context.send(message, { generation: 'callbacks' })
    if (isAccepted(sent)) continue
    const control = await context.send(named(message, 'signed'), {
      generation: 'callbacks',
      role: 'control',
      signature: signedNow,
    })
    const finding = failed('an answer from 200 to 299', describeExchange(sent), {
      exchanges: [sent, control],
    })
    return requireAccepted(control) ?? finding
  }
  return PASSED
}
