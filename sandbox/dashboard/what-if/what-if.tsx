import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { exact } from '../parts/exact-text.tsx'
import { Facts } from '../parts/table.tsx'
import type { Route } from '../state/route.ts'
import { useApp, useKeys } from '../parts/use-app.ts'
import { EventTrace } from '../workshop/trace.tsx'
import { Editor } from './editor.tsx'
import { createWhatIf, type WhatIf as State } from './what-if-state.ts'

export function WhatIfScreen({ path }: Route) {
  const app = useApp()
  const state = useMemo(() => createWhatIf(app, path), [app, path.toSpliced(2, 1).join()])
  const { problem, isRunning, said } = state
  const preview = state.preview.value
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
        What if… <span class="dim">{preview && `${preview.kind} with outcome ${preview.outcome}`}</span>
      </h1>
      {preview && <Editor {...state} />}
      {problem.value !== '' && !isRunning.value && (
        <p class="reason" role="alert">
          {exact(problem.value)}
        </p>
      )}
      {preview && <Outcome {...state} />}
      <p class="hidden" role="status">
        {said.value}
      </p>
    </section>
  )
}

const LOOKS = { passed: ['good', '✓'], failed: ['bad', '✗'] } as const

function Outcome({ run, isRunning, result, isCurrent, stop }: State) {
  const { progress, headline, error } = run.value ?? {}
  const { verdict, expected = null, actual, unobserved, remedy, trace } = result.value ?? {}
  const conclusion = useRef<HTMLElement>(null)
  useLayoutEffect(() => conclusion.current?.scrollIntoView({ block: 'nearest' }), [trace])
  if (isRunning.value)
    return (
      <p class="loading">
        {progress?.text ?? 'Starting'}{' '}
        <button type="button" onClick={stop}>
          Stop
        </button>
      </p>
    )
  if (!verdict) return error ? <p class="reason">{error}</p> : null
  const [look, sign] = verdict === 'passed' || verdict === 'failed' ? LOOKS[verdict] : ['due', '?']
  return (
    <section class="verdict" aria-label="Verdict">
      <header ref={conclusion} class={look}>
        <h2>
          {sign} {headline}
        </h2>
        {!isCurrent.value && <p>This result is for an earlier order. Press Enter to play the order above.</p>}
        <Facts
          facts={[
            ['Expected', expected],
            [expected === null ? 'Why' : 'Actual', actual],
            ['Open', unobserved],
            ['Fix', remedy],
          ]}
        />
      </header>
      <h2>What happened</h2>
      <p class="dim">The run had its own world, so the activity does not list its deliveries.</p>
      <EventTrace events={trace ?? []} />
    </section>
  )
}
