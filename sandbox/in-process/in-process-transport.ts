import { errorMessage } from '../../spec/errors.ts'
import { describeValue, isObjectWith } from './arguments.ts'
import type { ReceiverFunction } from './receivers.ts'
import type { Exchange, HttpMessage, Outcome, RealTime, Transport } from '../engine/core/ports.ts'

export function createInProcessTransport(
  receiverAt: (url: string) => ReceiverFunction | undefined,
  realTime: RealTime,
): Transport {
  return {
    async post(message, deadlineMs) {
      const startedAt = realTime.elapsed()
      const receiver = receiverAt(message.url)
      const outcome = receiver
        ? await withDeadline(callReceiver(receiver, message), deadlineMs, realTime)
        : missingReceiver(message.url)
      const totalMs = realTime.elapsed() - startedAt
      const answeredMs = outcome.kind === 'answered' ? totalMs : null
      return {
        outcome,
        timings: { connectedMs: receiver ? 0 : null, answeredMs, totalMs },
        flags: [],
      } satisfies Exchange
    },
  }
}

async function callReceiver(
  receiver: ReceiverFunction,
  { url, headers, body }: HttpMessage,
): Promise<Outcome> {
  try {
    const response: unknown = await receiver(
      new Request(url, { method: 'POST', headers, body: Buffer.from(body) }),
    )
    if (!isResponse(response)) {
      const message = `The receiver of ${url} returned ${describeValue(response)}; return a Response, such as new Response(null, { status: 204 })`
      return { kind: 'unanswered', reason: 'closed_without_response', message }
    }
    return {
      kind: 'answered',
      status: response.status,
      headers: [...response.headers],
      body: new Uint8Array(await response.arrayBuffer()),
    }
  } catch (error) {
    return {
      kind: 'unanswered',
      reason: 'closed_without_response',
      message: `The receiver of ${url} threw: ${errorMessage(error)}`,
      cause: error,
    }
  }
}

/** Checks properties instead of the class, because a test runner can use its own `Response` class. */
function isResponse(given: unknown): given is Response {
  return isObjectWith(given, { status: 'number', headers: 'object', arrayBuffer: 'function' })
}

async function withDeadline(
  outcome: Promise<Outcome>,
  deadlineMs: number,
  realTime: RealTime,
): Promise<Outcome> {
  const late = Promise.withResolvers<Outcome>()
  const message = `The receiver did not answer within ${deadlineMs} ms`
  const cancel = realTime.after(deadlineMs, () =>
    late.resolve({ kind: 'unanswered', reason: 'header_timeout', message }),
  )
  try {
    return await Promise.race([outcome, late.promise])
  } finally {
    cancel()
  }
}

function missingReceiver(url: string): Outcome {
  const message = `No receiver listens at ${url}: pass a receiver to createSandbox({ receivers })`
  return { kind: 'unanswered', reason: 'connect_refused', message }
}
