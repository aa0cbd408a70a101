/** A mistake in the starter receiver that no specific check tests. */
export interface UnlistedDefect {
  readonly name: string
  /** One sentence that describes a receiver with this defect. */
  readonly about: string
  readonly area:
    'parsing' | 'money' | 'identity' | 'concurrency' | 'call-back' | 'persistence' | 'http' | 'time'
  readonly edits: readonly Edit[]
}

/** Replaces a text that occurs exactly once in the file. */
export interface Edit {
  readonly file: StarterFile
  readonly from: string
  readonly to: string
}

export type StarterFile = 'main.mjs' | 'receiver.mjs' | 'service.mjs' | 'store.mjs'
