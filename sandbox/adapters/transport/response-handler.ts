import type { Dispatcher } from 'undici'
import { keep, readHeaders, type Call } from './call.ts'
import { KnownFailure, unanswered } from './failure-reasons.ts'
import type { Target } from './guarded-connector.ts'

/** The call that a connection carries, and what became of it. */
export interface Carrier {
  call: Call | undefined
  /** Whether the connection has carried a call before. */
  isUsed: boolean
  completed(call: Call): void
  /** As much came as is kept of an answer. */
  truncated(call: Call): void
  failed(call: Call, error: unknown): void
}

/** A receiver that sends more of them than any proxy does is not waited for any longer. */
const MAX_INTERIM_ANSWERS = 32

/** Belongs to the connection, not to the call, so that a call allocates no functions. */
export function createResponseHandler(carrier: Carrier, target: Target): Dispatcher.DispatchHandler {
  function take(): Call | undefined {
    const { call } = carrier
    carrier.call = undefined
    return call
  }

  function fail(error: unknown): void {
    const call = take()
    if (call) carrier.failed(call, error)
  }

  return {
    onRequestStart() {
      if (!carrier.call) return
      carrier.call.connectedAt = performance.now()
      carrier.call.isOnReusedConnection = carrier.isUsed
      carrier.isUsed = true
    },
    onResponseStarted() {
      if (carrier.call) carrier.call.hasResponse = true
    },
    onResponseStart({ rawHeaders }, status) {
      const { call } = carrier
      if (!call) return
      if (status === 101) return fail(new KnownFailure(unanswered('unexpected_upgrade', target)))
      if (status >= 100 && status < 200) {
        call.interimCount += 1
        return call.interimCount > MAX_INTERIM_ANSWERS ? fail(tooManyInterimAnswers(target)) : undefined
      }
      call.answeredAt = performance.now()
      call.status = status
      call.headers = Array.isArray(rawHeaders) ? readHeaders(rawHeaders) : []
      // undici takes a status below 100 for an interim one, and would wait for another.
      if (status < 100) fail(undefined)
    },
    onResponseData(_, chunk) {
      if (!carrier.call || keep(carrier.call, chunk)) return
      const call = take()
      if (call) carrier.truncated(call)
    },
    onResponseEnd() {
      const call = take()
      if (call) carrier.completed(call)
    },
    onResponseError(_, error) {
      fail(error)
    },
  }
}

function tooManyInterimAnswers({ hostname, port }: Target): KnownFailure {
  const message =
    `No answer from "${hostname}:${port}": more than ${MAX_INTERIM_ANSWERS} interim ones (1xx) came; ` +
    `answer with a final status`
  return new KnownFailure({ reason: 'header_timeout', message })
}
