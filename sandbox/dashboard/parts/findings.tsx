import type { DiagnosisFinding } from '../../../spec/generated/control-types.ts'
import { NOBODY_NOTIFIED } from '../../cli/nobody-notified.ts'
import { toPrintable } from '../../engine/core/short-text.ts'
import { RefusedError } from '../../client/requests.ts'
import { useApp, useListing, useRegistrations } from './use-app.ts'

const MARKS = { fine: ['good', '✓'], warning: ['due', '!'], problem: ['bad', '✗'] } as const

/** Explains why no notification is sent. Hidden if a registration is enabled, because the diagnosis would then send test POSTs. */
export function Findings() {
  const { isPast } = useApp().rewind
  const registrations = useRegistrations()
  if (!registrations || registrations.some(({ enabled }) => enabled)) return null
  return isPast.value ? <p class="reason">{NOBODY_NOTIFIED}</p> : <PresentFindings />
}

function PresentFindings() {
  const { perform } = useApp()
  const diagnosis = useListing(() => perform('diagnose').catch(onlyThis), ['clock', 'fault', 'fault_removed'])
  return (
    <ul class="findings" aria-label="Findings">
      {diagnosis?.findings.map(({ level, message, remedy = '' }, index) => {
        const [colour, mark] = MARKS[level]
        return (
          <li key={index}>
            <span class={colour}>
              {mark} <span class="hidden">{level}: </span>
            </span>
            <span class={level === 'fine' ? 'dim' : ''}>{toPrintable(message)}</span>
            {remedy !== '' && <p>{splitRemedy(remedy).map(toPart)}</p>}
          </li>
        )
      })}
    </ul>
  )
}

/** Splits the text of a fix into plain text and commands. Every second part is a command. */
const splitRemedy = (remedy: string) => remedy.split(/"((?:npx )?hookbench [^"]*)"/)

const toPart = (text: string, index: number) =>
  index % 2 === 0 ? toPrintable(text) : <code key={index}>{toPrintable(text)}</code>

/** Returns a fixed finding for a sandbox without a diagnosis, such as a sandbox in a test. */
function onlyThis(error: unknown): { readonly findings: readonly DiagnosisFinding[] } {
  if (!(error instanceof RefusedError)) throw error
  return { findings: [{ about: 'registrations', level: 'problem', message: NOBODY_NOTIFIED }] }
}
