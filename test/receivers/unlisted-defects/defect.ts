/** A mistake in the starter receiver that no specific check tests. */
export interface UnlistedDefect {
  readonly name: string
  /** One sentence that describes a receiver with this defect. */
  readonly about: string
  readonly area: string
  readonly edits: readonly Edit[]
}

export type AreaDefect = Omit<UnlistedDefect, 'area'>

/** A replacement of a text that occurs exactly once in the file. */
export interface Edit {
  readonly file: StarterFile
  readonly from: string
  readonly to: string
}

export type StarterFile = 'main.mjs' | 'receiver.mjs' | 'service.mjs' | 'store.mjs'

const editIn =
  (file: StarterFile) =>
  (from: string, to: string): Edit => ({ file, from, to })

export const inMain = editIn('main.mjs')
export const inReceiver = editIn('receiver.mjs')
export const inService = editIn('service.mjs')
export const inStore = editIn('store.mjs')
