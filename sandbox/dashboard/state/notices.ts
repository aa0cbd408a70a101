import { signal, type ReadonlySignal } from '@preact/signals'
import { commandLine } from '../../engine/core/command-line.ts'
import { RefusedError } from '../../client/requests.ts'
import { UnreachableError } from '../../client/unreachable.ts'
import type { SandboxPlace } from './sandbox-place.ts'

/** A message to the reader. */
export interface Notice {
  readonly id: number
  readonly kind: 'done' | 'failed'
  readonly text: string
  readonly remedy: string
}

export interface Notices {
  readonly list: ReadonlySignal<readonly Notice[]>
  say(kind: Notice['kind'], text: string, remedy?: string): void
  /** Shows an error with its remedy. */
  sayError(error: unknown): void
  dismiss(id: number): void
}

const [SHOWN_MS, MOST_SHOWN] = [6_000, 4]

/** Creates the notices. Success disappears by itself. A failure stays until it is dismissed. */
export function createNotices(
  after: (delayMs: number, run: () => void) => unknown,
  { target, startLine }: Pick<SandboxPlace, 'target' | 'startLine'>,
): Notices {
  const list = signal<readonly Notice[]>([])
  let count = 0

  function dismiss(id: number): void {
    list.value = list.value.filter((notice) => notice.id !== id)
  }

  function say(kind: Notice['kind'], text: string, remedy = ''): void {
    const notice = { id: ++count, kind, text, remedy }
    // A repeated text replaces the earlier notice.
    const others = list.value.filter((each) => each.text !== text || each.kind !== kind)
    list.value = [...others.slice(1 - MOST_SHOWN), notice]
    if (kind === 'done') after(SHOWN_MS, () => dismiss(notice.id))
  }

  return {
    list,
    say,
    dismiss,
    sayError(error) {
      if (error instanceof UnreachableError) {
        say(
          'failed',
          'The sandbox does not answer',
          `start it with "${startLine.value}"; this page connects by itself`,
        )
      } else if (error instanceof RefusedError) {
        const { hint, command, message } = error
        say(
          'failed',
          message,
          [hint, command && commandLine(command, target.value)].filter(Boolean).join(': '),
        )
      } else say('failed', String(error), 'reload the page; if it comes again, it is a defect of Hookbench')
    },
  }
}
