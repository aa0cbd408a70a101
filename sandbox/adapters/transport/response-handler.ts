import type { Dispatcher } from 'undici'
import { keepChunk, readHeaders, type Call } from './call.ts'
import type { ContinueAnswers } from './continue-answers.ts'
import { KnownFailure, knownFailure } from './failure-outcomes.ts'
import type { Target } from './guarded-connector.ts'

/** The call that a connection carries, and what happens when it ends. */
export interface ConnectionState {
  call: Call | undefined
  readonly continueAnswers: ContinueAnswers
  /** Whether the connection has carried a call before. */
  isUsed: boolean
  /** Whether an answer has come to its end, and it is not known yet whether more came with it. */
  isCompleting: boolean
  /** Whether more came with an answer than belongs to it. */
  hasSurplus: boolean
  onCompleted(call: Call): void
  /** As much came as is kept of an answer. */
  onTruncated(call: Call): void
  onFailed(call: Call, error: unknown): void
}

/** A receiver that sends more of them than any proxy does is not waited for any longer. */
const MAX_INTERIM_ANSWERS = 32

/** Belongs to the connection, not to the call, so that a call allocates no functions. */
export function createResponseHandler(state: ConnectionState, target: Target): Dispatcher.DispatchHandler {
  function take(): Call | undefined {
    const { call } = state
    state.call = undefined
    return call
  }

  function fail(error: unknown): void {
    const call = take()
    if (call) state.onFailed(call, error)
  }

  return {
    onRequestStart() {
      if (!state.call) return
      state.call.connectedAt = performance.now()
      state.call.isOnReusedConnection = state.isUsed
      state.isUsed = true
      state.continueAnswers.begin()
    },
    onResponseStarted() {
      if (state.call) state.call.hasResponse = true
    },
    onResponseStart({ rawHeaders }, status) {
      const { call } = state
      if (!call) return
      if (status === 101) return fail(knownFailure('unexpected_upgrade', target))
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
      if (!state.call || keepChunk(state.call, chunk)) return
      const call = take()
      if (call) state.onTruncated(call)
    },
    onResponseEnd() {
      const call = take()
      if (call) state.onCompleted(call)
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
