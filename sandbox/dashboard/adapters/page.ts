import type { PagePorts } from '../state/page-ports.ts'
import { parseWorld, tokenInAddress } from '../state/route.ts'

const TOKEN = 'hookbench-token'

const world = parseWorld(location.search)
if (world !== undefined) document.title += `: ${world}`

export const page: PagePorts = {
  origin: location.origin,
  world,
  takeToken() {
    const given = tokenInAddress(location.hash)
    if (given !== undefined) {
      sessionStorage.setItem(TOKEN, given)
      // Immediately removes the token from the address and the browser history.
      history.replaceState(null, '', '#/')
    }
    return sessionStorage.getItem(TOKEN) ?? ''
  },
  keepToken: (token) => sessionStorage.setItem(TOKEN, token),
  hash: () => location.hash,
  setHash(hash) {
    location.hash = hash
  },
  replaceHash: (hash) => history.replaceState(null, '', hash),
  onHash: (listener) => addEventListener('hashchange', listener),
  elapsed: () => performance.now(),
  soon(run) {
    // Uses a timeout on a hidden page, because a hidden page gets no animation frames.
    if (document.hidden) setTimeout(run, 50)
    else requestAnimationFrame(run)
  },
  every(periodMs, run) {
    const timer = setInterval(run, periodMs)
    return () => clearInterval(timer)
  },
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
  commands: async () => (await import('virtual:commands')).commands,
  copy: (text) => navigator.clipboard.writeText(text),
  onReturn(listener) {
    for (const type of ['online', 'focus']) addEventListener(type, listener)
  },
}

/** Reports keys such as `j`, `Ctrl-k` or `Shift-ArrowLeft`. Inside a text field, reports only Escape and Ctrl keys. */
export function listenToKeys(press: (key: string) => boolean): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return
    // Reports no keys while a popover is open, because the popover handles them.
    if (document.querySelector(':popover-open')) return
    const held = event.ctrlKey || event.metaKey
    const shifted = event.shiftKey && event.key.startsWith('Arrow') ? `Shift-${event.key}` : event.key
    const name = held ? `Ctrl-${event.key.toLowerCase()}` : shifted
    if (!held && name !== 'Escape' && takesKey(event.target, name)) return
    if (press(name)) event.preventDefault()
  })
}

function takesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement && /^(range|checkbox)$/.test(target.type))
    return /^( |Home|End|Page|(Shift-)?Arrow)/.test(key)
  if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return true
  return key === 'Enter' && /^(A|BUTTON|SUMMARY)$/.test(target.tagName)
}
