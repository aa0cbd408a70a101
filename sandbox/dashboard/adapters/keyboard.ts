/**
 * Reports keys outside of text fields, such as `j`, `Ctrl-k` or `Shift-ArrowLeft`. Inside a text field, reports only Escape and
 * Ctrl keys.
 */
export function listenToKeys(press: (key: string) => boolean): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return
    // An open popover handles all keys. Escape closes it.
    if (document.querySelector(':popover-open')) return
    const held = event.ctrlKey || event.metaKey
    const shifted = event.shiftKey && event.key.startsWith('Arrow') ? `Shift-${event.key}` : event.key
    const name = held ? `Ctrl-${event.key.toLowerCase()}` : shifted
    if (!held && name !== 'Escape' && takesKey(event.target, name)) return
    if (press(name)) event.preventDefault()
  })
}

/** Returns true if the focused element handles the key itself. */
function takesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement && /^(range|checkbox)$/.test(target.type))
    return /^( |Home|End|Page|(Shift-)?Arrow)/.test(key)
  if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return true
  return key === 'Enter' && /^(A|BUTTON|SUMMARY)$/.test(target.tagName)
}
