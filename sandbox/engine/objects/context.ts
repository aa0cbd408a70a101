import type { ReadingValues } from '../../../spec/readings.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import type { View } from '../state/view.ts'

/** What a decision may look at. */
export interface EngineContext {
  readonly view: View
  /** As they are chosen now: look when deciding. */
  readonly readings: () => ReadingValues
  /** The platform's words for what the document writes neutrally. */
  readonly translator: Translator
  /** When a change happens that is decided now: at least a millisecond after the last change. Sandbox time, epoch milliseconds. */
  readonly now: () => number
  /** Real time, epoch milliseconds: what a recording lag is measured on. */
  readonly realNow: () => number
  readonly newId: () => string
  /** For objects with an integer id. */
  readonly newNumber: () => number
}
