import { useLayoutEffect, useRef } from 'preact/hooks'
import type { RehearsalOrderResult, TraceEntry } from '../../../spec/generated/control-types.ts'
import { ExactText } from '../delivery/exact-text.tsx'

interface VerdictProps extends RehearsalOrderResult {
  readonly headline: string | null | undefined
  /** True if the order did not change since. */
  readonly isCurrent: boolean
}

const LOOKS = { passed: ['good', '✓'], failed: ['bad', '✗'] } as const

/** The result of an order and its trace. */
export function Verdict({ headline, isCurrent, verdict, trace, ...rest }: VerdictProps) {
  const { expected, actual, unobserved, remedy } = rest
  const section = useRef<HTMLElement>(null)
  useLayoutEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [trace])
  const [look, sign] = verdict === 'passed' || verdict === 'failed' ? LOOKS[verdict] : ['due', '?']
  const rows = [
    ['Expected', expected],
    [expected === null ? 'Why' : 'Actual', actual],
    ['Open', unobserved],
    ['Fix', remedy],
  ] as const
  return (
    <section ref={section} class="verdict" aria-label="Verdict">
      <header class={look}>
        <h2>
          {sign} {headline}
        </h2>
        {!isCurrent && <p>It is of another order than the one above: Enter plays this one.</p>}
        <dl>
          {rows.map(
            ([name, text]) =>
              text !== null && (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <ExactText text={text} />
                  </dd>
                </div>
              ),
          )}
        </dl>
      </header>
      <h2>What happened</h2>
      <p class="dim">The run had a world of its own. The activity does not list its deliveries.</p>
      <ol class="trace">
        {trace.map((entry, index) => (
          <TraceLine key={index} {...entry} />
        ))}
      </ol>
    </section>
  )
}

const ARROWS = { world: '·', sent: '→', called: '←', effects: '●' } as const

function TraceLine(entry: TraceEntry) {
  const { kind, at_ms, text } = entry
  const answer = answerOf(entry)
  const isBad = kind === 'sent' && !(Number(answer) < 300)
  return (
    <li class={kind}>
      <span class="mono dim">{Math.round(at_ms)} ms</span>
      <span aria-hidden="true">{ARROWS[kind]}</span>
      <span>
        <ExactText text={text} /> <b class={isBad ? 'bad' : ''}>{answer}</b>
      </span>
    </li>
  )
}

/** Returns the status of the receiver or the service. Empty without a response. */
function answerOf(entry: TraceEntry): string {
  const { status, reason } = Object(entry.kind === 'called' ? entry['request'] : entry)
  return typeof status === 'number' ? String(status) : typeof reason === 'string' ? reason : ''
}
