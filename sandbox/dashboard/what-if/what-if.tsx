import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { RehearsalOrderResult } from '../../../spec/generated/control-types.ts'
import { ExactText, TextFacts } from '../delivery/exact-text.tsx'
import type { Route } from '../state/route.ts'
import { useApp, useKeys } from '../parts/use-app.ts'
import { isRunEvent } from '../workshop/run-report.ts'
import { Trace } from '../workshop/trace.tsx'
import { Editor } from './editor.tsx'
import { createWhatIf, type WhatIf as State } from './what-if-state.ts'

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

const LOOKS = { passed: ['good', '✓'], failed: ['bad', '✗'] } as const

interface VerdictProps extends RehearsalOrderResult {
  readonly headline: string | null | undefined
  /** True if the order did not change since. */
  readonly isCurrent: boolean
}

/** The result of an order and its trace. */
function Verdict({ headline, isCurrent, verdict, trace, ...rest }: VerdictProps) {
  const { expected, actual, unobserved, remedy } = rest
  const section = useRef<HTMLElement>(null)
  useLayoutEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [trace])
  const [look, sign] = verdict === 'passed' || verdict === 'failed' ? LOOKS[verdict] : ['due', '?']
  return (
    <section ref={section} class="verdict" aria-label="Verdict">
      <header class={look}>
        <h2>
          {sign} {headline}
        </h2>
        {!isCurrent && <p>It is of another order than the one above: Enter plays this one.</p>}
        <TextFacts
          facts={[
            ['Expected', expected],
            [expected === null ? 'Why' : 'Actual', actual],
            ['Open', unobserved],
            ['Fix', remedy],
          ]}
        />
      </header>
      <h2>What happened</h2>
      <p class="dim">The run had a world of its own. The activity does not list its deliveries.</p>
      <Trace events={trace.filter(isRunEvent)} />
    </section>
  )
}
