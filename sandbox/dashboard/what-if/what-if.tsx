import { useLayoutEffect, useMemo } from 'preact/hooks'
import { ExactText } from '../delivery/exact-text.tsx'
import type { Route } from '../state/route.ts'
import { useApp, useKeys } from '../parts/use-app.ts'
import { Acts } from './acts.tsx'
import { Chips } from './chips.tsx'
import { createWhatIf, type WhatIf as State } from './what-if-state.ts'
import { Verdict } from './verdict.tsx'

/** The editor that reorders a payment's notifications and plays them again. */
export function WhatIf({ path }: Route) {
  const app = useApp()
  const state = useMemo(() => createWhatIf(app, path), [app, path.toSpliced(2, 1).join()])
  const { preview, problem, isRunning, said } = state
  useLayoutEffect(() => {
    app.selection.value = {}
    state.refresh()
    return state.close
  }, [state])
  const word = path[2] ?? ''
  useLayoutEffect(() => {
    if (word === state.word.value) return
    state.take(word)
    state.refresh()
  }, [state, word])
  useKeys([{ key: 'Escape', about: 'Leave', run: app.leave }])
  return (
    <section class="what-if details">
      <h1>
        What if…{' '}
        <span class="dim">{preview.value && `${preview.value.kind} to ${preview.value.outcome}`}</span>
      </h1>
      {preview.value && <Editor {...state} />}
      {problem.value !== '' && !isRunning.value && (
        <p class="reason" role="alert">
          <ExactText text={problem.value} />
        </p>
      )}
      {preview.value && <Outcome {...state} />}
      <p class="hidden" role="status">
        {said.value}
      </p>
    </section>
  )
}

function Editor(state: State) {
  const { command = '', obstacle } = state.preview.value ?? {}
  return (
    <>
      <p class="dim">
        Drag the deliveries into another order, or choose one by ← → and change what happens to it. Then the
        payment is played anew, with fresh objects, and your receiver is notified in this order.
      </p>
      <Chips {...state} />
      <Acts {...state} />
      <pre aria-label="The same in a terminal">
        <ExactText text={command} />
      </pre>
      {obstacle && (
        <p class="reason">
          Only its answers can be judged: <ExactText text={obstacle} />
        </p>
      )}
    </>
  )
}

function Outcome({ run, isRunning, result, isCurrent, stop }: State) {
  const { progress, headline, error } = run.value ?? {}
  if (isRunning.value) {
    return (
      <p class="loading">
        {progress?.text ?? 'Starting'}{' '}
        <button type="button" onClick={stop}>
          Stop
        </button>
      </p>
    )
  }
  if (result.value) return <Verdict {...result.value} headline={headline} isCurrent={isCurrent.value} />
  return error ? <p class="reason">{error}</p> : null
}
