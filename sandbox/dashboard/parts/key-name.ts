const NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
}

export function keyName(key: string): string {
  return key.replace(/^Shift-/, '⇧').replace(/Arrow\w+|Escape/, (name) => NAMES[name] ?? name)
}
