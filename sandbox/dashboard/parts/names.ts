const WORDS: Readonly<Record<string, string>> = { bpay: 'BPAY', npp: 'NPP', payin: 'pay-in' }

export function paymentName(kind: string): string {
  const name = kind
    .split('-')
    .map((word) => WORDS[word] ?? word)
    .join(' ')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

export function operationName(operation: string): string {
  const words = operation.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Formats the time of day, such as `13:45:06.123`. */
export function timeText(instant: number | string): string {
  return new Date(instant).toISOString().slice(11, 23)
}

export function instantText(instant: number | string): string {
  return new Date(instant).toISOString().slice(0, 23).replace('T', ' ')
}

export function formatMilliseconds(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`
  return ms < 999.5 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`
}

/** Returns a text such as `204`, `dropped by fault` or `503 by fault status`. A null `result` means a closed connection. */
export function formatResult(result: number | string | null, faults: readonly string[]): string {
  const text = String(result ?? 'cut').replaceAll('_', ' ')
  return faults.length === 0 || text.endsWith(' by fault') ? text : `${text} by fault ${faults.join(', ')}`
}

export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

const KEY_NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
}

export function keyName(key: string): string {
  return key.replace(/^Shift-/, '⇧').replace(/Arrow\w+|Escape/, (name) => KEY_NAMES[name] ?? name)
}
