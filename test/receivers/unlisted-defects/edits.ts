/** One thing that a receiver does wrong and that no check names: an edit of the starter that `init --receiver` writes. */
export interface UnlistedDefect {
  /** `area/name`. */
  readonly name: string
  readonly about: string
  readonly edits: readonly Edit[]
}

export interface Edit {
  readonly file: 'main.mjs' | 'service.mjs' | 'store.mjs'
  /** It occurs once in the file. */
  readonly from: string
  readonly to: string
}

export const AMOUNT = '...(Number.isSafeInteger(amount) && { amount }),'
export const CURRENCY = "...(typeof currency === 'string' && { currency }),"
export const IS_DUE = "      state === (type === 'virtual_accounts' ? 'active' : 'successful') &&"
const FIRST_ACT = 'if (now.isDue && insertAct.run(type, id, JSON.stringify(details)).changes === 1) act(now)'
export const KEEP = '  keepNotification(type, id)\n  // Not before'
export const OK = 'if (status === 200) return { body: await response.json() }'

export const edit = (file: Edit['file'], from: string, to: string): Edit => ({ file, from, to })

/** Acts only the first time that this key comes. */
export const actOncePer = (key: string): readonly Edit[] => [
  edit(
    'store.mjs',
    'function transaction(work) {',
    'const acted = new Set()\n\nfunction transaction(work) {',
  ),
  edit(
    'store.mjs',
    FIRST_ACT,
    `const key = ${key}\n    if (now.isDue && acted.has(key)) return\n    if (now.isDue) acted.add(key)\n    ${FIRST_ACT}`,
  ),
]
