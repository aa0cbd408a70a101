import type { FaultSettings } from '../state/fault.ts'
import { withSet } from './pointer.ts'

/** Whether that makes it another text. */
export function alters(text: string, settings: FaultSettings): boolean {
  return alteredText(text, settings) !== text
}

/** JSON text with what a fault sets in it, or the whole text that it has instead. A body that is text is sent as it stands. */
export function alteredText(text: string, { set, body }: FaultSettings): string {
  if (typeof body === 'string') return body
  const whole: unknown = body === undefined ? JSON.parse(text) : body
  return JSON.stringify(set ? withSet(whole, set) : whole)
}
