import { signal } from '@preact/signals'
import { commandLine } from '../../engine/core/command-line.ts'
import { RefusedError } from '../../client/requests.ts'
import { UnreachableError } from '../../client/unreachable.ts'
import type { PagePorts } from './page-ports.ts'
import type { SandboxPlace } from './sandbox-place.ts'

interface Notice {
  readonly id: number
  readonly kind: 'done' | 'failed'
  readonly text: string
  readonly remedy: string
}

const [SHOWN_MS, MAX_SHOWN] = [6_000, 4]

export type Notices = ReturnType<typeof createNotices>

/** Creates the notices. Success messages disappear automatically. Errors stay until the user dismisses them or opens another screen. */
export function createNotices(
  after: PagePorts['after'],
  { target, startLine }: Pick<SandboxPlace, 'target' | 'startLine'>,
) {
  const list = signal<readonly Notice[]>([])
  let count = 0

  function dismiss(id: number): void {
    list.value = list.value.filter((notice) => notice.id !== id)
  }

  function say(kind: Notice['kind'], text: string, remedy = ''): void {
    const notice = { id: ++count, kind, text, remedy }
    // A repeated message replaces the earlier notice.
    const others = list.value.filter((each) => each.text !== text || each.kind !== kind)
    list.value = [...others.slice(1 - MAX_SHOWN), notice]
    if (kind === 'done') after(SHOWN_MS, () => dismiss(notice.id))
  }

  function sayError(error: unknown): void {
    if (error instanceof UnreachableError) {
      const remedy = `start the sandbox with "${startLine.value}". This page then reconnects automatically`
      say('failed', 'The sandbox does not answer', remedy)
    } else if (error instanceof RefusedError) {
      const { hint, command, message } = error
      const line = command && commandLine(command, target.value)
      say('failed', message, [hint, line].filter(Boolean).join(': '))
    } else if (error instanceof RangeError) say('failed', error.message)
    else say('failed', String(error), 'reload the page. If the error occurs again, report a bug')
  }

  return { list, say, sayError, dismiss }
}
