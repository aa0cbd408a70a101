/** Failures of one cause, with the check to look at first. */
export interface ReportedFailure {
  readonly title: string
  readonly check: string
  readonly others: readonly string[]
  readonly unjudged: readonly string[]
}

export interface ReportedCheck {
  readonly id: string
  readonly severity: string
  readonly requirement: string
  readonly expected: string | null
  readonly actual: string | null
  /** The command that repeats the check. Empty without one. */
  readonly repeat: string
  readonly exchanges: readonly ReportedEvent[]
}

/** An exchange, a call back or a number of effects, as text. */
export interface ReportedEvent {
  readonly kind: string
  readonly atMs: number
  readonly text: string
  readonly status: string
  readonly isBad: boolean
  /** A body. Empty without one. */
  readonly request: string
  readonly response: string
}

/** Reads the output of `check --json`. */
export function readReport(report: object): {
  readonly failures: readonly ReportedFailure[]
  readonly checks: readonly ReportedCheck[]
} {
  return {
    failures: listOf(report, 'failures').map(toFailure),
    checks: listOf(report, 'checks').map(toCheck),
  }
}

const valueOf = (from: unknown, key: string): unknown => Reflect.get(Object(from), key)

function listOf(from: unknown, key: string): readonly unknown[] {
  const value = valueOf(from, key)
  return Array.isArray(value) ? value : []
}

function textOf(from: unknown, key: string): string {
  const value = valueOf(from, key)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function toFailure(from: unknown): ReportedFailure {
  return {
    title: textOf(from, 'title'),
    check: textOf(from, 'check'),
    others: listOf(from, 'others').map(String),
    unjudged: listOf(from, 'unjudged').map(String),
  }
}

function toCheck(from: unknown): ReportedCheck {
  return {
    id: textOf(from, 'id'),
    severity: textOf(from, 'severity'),
    requirement: textOf(from, 'requirement'),
    expected: textOf(from, 'expected') || null,
    actual: textOf(from, 'actual') || null,
    repeat: textOf(from, 'repeat'),
    exchanges: listOf(from, 'exchanges').map(toEvent),
  }
}

function toEvent(from: unknown): ReportedEvent {
  const [kind, request] = [textOf(from, 'kind'), valueOf(from, 'request')]
  const status = textOf(from, 'status') || textOf(request, 'status') || textOf(from, 'reason')
  return {
    kind,
    atMs: Number(textOf(from, 'at_ms')),
    text: eventText(kind, from),
    status,
    isBad: kind === 'sent' && !(Number(status) < 300),
    request: textOf(request, 'body'),
    response: textOf(valueOf(from, 'response'), 'body'),
  }
}

function eventText(kind: string, from: unknown): string {
  const request = valueOf(from, 'request')
  switch (kind) {
    case 'sent':
      return textOf(from, 'label')
    case 'called':
      return `${textOf(request, 'method')} ${textOf(request, 'path')}`
    case 'effects':
      return `${textOf(from, 'object_type')} ${textOf(from, 'id')}: effects ${textOf(from, 'effects')}`
    default:
      return textOf(from, 'text')
  }
}
