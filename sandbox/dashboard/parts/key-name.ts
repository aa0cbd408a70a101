const NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
}

/** A key as it is labelled. */
export function keyName(key: string): string {
  return key.replace(/^Shift-/, '⇧').replace(/Arrow\w+|Escape/, (name) => NAMES[name] ?? name)
}
