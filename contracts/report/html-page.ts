import { escapeHtml } from './escape.ts'
import type { Headline } from './headline.ts'

/** Writes a page that needs no network. `style` is added to the common style. */
export function pageHtml(
  { sentence, tone, details }: Headline<string>,
  parts: readonly string[],
  { style = '', script = '' }: { readonly style?: string; readonly script?: string },
): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(sentence)} · Hookbench</title><style>${STYLE}${style}</style></head><body><main>`,
    `<h1 class="${tone}">${escapeHtml(sentence)}</h1>`,
    ...details.map((text) => `<p class="detail">${escapeHtml(text)}</p>`),
    ...parts,
    `</main>${script === '' ? '' : `<script>${script}</script>`}</body></html>`,
    '',
  ].join('\n')
}

const STYLE = `
:root { color-scheme: light dark;
  --bg: #f6f7f9; --card: #fff; --ink: #1c2430; --dim: #5f697d; --line: #e1e5eb; --code: #f2f4f7;
  --good: #0d7352; --bad: #c4320a; --warn: #a15c07; --mute: #8a94a6; --link: #2456c8; --call: #7a3ec8;
  --good-bg: #e7f6ef; --bad-bg: #fdede7; --warn-bg: #fdf3e0; --mute-bg: #eef0f4; }
@media (prefers-color-scheme: dark) { :root {
  --bg: #12151b; --card: #1a1f28; --ink: #e6e9ef; --dim: #98a2b3; --line: #2b3340; --code: #11151c;
  --good: #4fc796; --bad: #ff8a65; --warn: #f0b75c; --mute: #7f8a9d; --link: #86a9ff; --call: #c39bff;
  --good-bg: #14312a; --bad-bg: #3a2019; --warn-bg: #372a14; --mute-bg: #242b36; } }
* { box-sizing: border-box }
body { margin: 0; background: var(--bg); color: var(--ink); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif }
main { max-width: 1000px; margin: 0 auto; padding: 40px 24px 80px }
h1 { font-size: 26px; margin: 0 0 4px; letter-spacing: -.01em } h1::before { content: ""; display: inline-block; width: 14px; height: 14px; border-radius: 50%; margin-right: 10px; background: var(--mute) }
h1.good::before { background: var(--good) } h1.bad::before, h1.unknown::before { background: var(--bad) } h1.partial::before { background: var(--warn) }
.detail { margin: 4px 0 8px; font-size: 16px; overflow-wrap: anywhere }
h2 { font-size: 17px; margin: 40px 0 12px }
code, pre, .mono { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere }
.about { color: var(--dim); margin: 0 } .about code { color: var(--ink) }
.tiles { display: grid; grid-template-columns: repeat(6, 1fr); gap: 12px; margin: 24px 0 0 }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 12px 16px; border-top: 3px solid var(--mute) }
.tile b { display: block; font-size: 28px; line-height: 1.2; font-variant-numeric: tabular-nums } .tile span { color: var(--dim) }
.tile.passed { border-top-color: var(--good) } .tile.failed { border-top-color: var(--bad) } .tile.inconclusive, .tile.partly-observed { border-top-color: var(--warn) }
.tile.zero { border-top-color: var(--line) } .tile.zero b { color: var(--mute); font-weight: 500 }
.filters { display: flex; gap: 8px; flex-wrap: wrap; margin: 24px 0 0 }
.filters button { font: inherit; font-size: 13px; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 99px; padding: 4px 12px; cursor: pointer }
.filters button[aria-pressed=true] { background: var(--ink); color: var(--bg); border-color: var(--ink) }
details.check { background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin: 0 0 10px; overflow: hidden }
details.failed { border-left: 4px solid var(--bad) } details.inconclusive { border-left: 4px solid var(--warn) }
summary { display: flex; gap: 12px; align-items: baseline; padding: 10px 16px; cursor: pointer; list-style: none }
summary::-webkit-details-marker { display: none }
summary .id { font-weight: 600 } summary .req { color: var(--dim); flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
details[open] > summary .req { white-space: normal }
.tag { font-size: 12px; border-radius: 99px; padding: 1px 9px; white-space: nowrap; background: var(--mute-bg); color: var(--dim) }
.tag.passed { background: var(--good-bg); color: var(--good) } .tag.failed { background: var(--bad-bg); color: var(--bad) }
.tag.inconclusive, .tag.partly-observed { background: var(--warn-bg); color: var(--warn) }
.body { padding: 4px 16px 16px; border-top: 1px solid var(--line) }
dl { display: grid; grid-template-columns: 96px 1fr; gap: 6px 16px; margin: 12px 0 } dt { color: var(--dim) } dd { margin: 0; overflow-wrap: anywhere }
dd.actual { color: var(--bad) } dd.money { font-weight: 600 } dd.fix { color: var(--good) }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; margin: 8px 0; white-space: pre-wrap; max-height: 420px; overflow: auto }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; margin: 12px 0; background: var(--bg) }
.exchange > summary { padding: 6px 0; color: var(--dim) } .exchange > summary::before { content: "▸"; } .exchange[open] > summary::before { content: "▾" }
.index { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 12px; padding: 14px 20px; margin: 24px 0 0 }
.index h2, .unseen h2 { margin: 0 0 6px } .index ol { margin: 0; padding-left: 22px } .index li { margin: 0 0 8px } .index li::marker { color: var(--bad); font-weight: 600 }
.why { display: block; color: var(--dim); overflow-wrap: anywhere } .members summary { color: var(--dim); padding: 0 } .members summary::before, .others > summary::before { content: "▸" } .members[open] summary::before, .others[open] > summary::before { content: "▾" } .members p { margin: 4px 0 }
.unseen { background: var(--warn-bg); border-radius: 12px; padding: 14px 20px; margin: 12px 0 0 } .unseen ul { margin: 0; padding-left: 22px }
.cause { border: 1px solid var(--bad); border-radius: 16px; padding: 14px; margin: 0 0 16px } .cause h3 { margin: 2px 4px 4px; font-size: 17px } .cause > p { margin: 0 4px 12px } .others { margin: 4px 0 0 } .others > summary { padding: 8px 4px; color: var(--dim) }
a { color: var(--link) } details.check:target { outline: 2px solid var(--link) }
.group { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 12px 16px; margin: 0 0 10px }
.group p { margin: 0 0 4px } .group .mono { color: var(--dim) }
svg.timeline { display: block; max-width: none }
svg text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: var(--ink) }
svg .lane { stroke: var(--line); stroke-width: 2 } svg .head { fill: var(--card); stroke: var(--line) } svg .lane-name { font-weight: 600; font-family: system-ui, sans-serif }
svg .faint { fill: var(--dim) } svg text.good { fill: var(--good) } svg text.bad { fill: var(--bad); font-weight: 600 } svg .end { text-anchor: end }
svg .arrow line { stroke-width: 1.6 } svg .out line { stroke: var(--link) } svg .out path { fill: var(--link) }
svg .call line { stroke: var(--call) } svg .call path { fill: var(--call) } svg .back line { stroke-dasharray: 4 3 }
svg .back.good line { stroke: var(--good) } svg .back.good path { fill: var(--good) } svg .back.bad line { stroke: var(--bad) } svg .back.bad path { fill: var(--bad) }
svg .cross { stroke: var(--bad); stroke-width: 2.4 } svg .reads { stroke: var(--mute); stroke-dasharray: 1 4 } svg .world { fill: var(--mute) }
svg .effect { stroke: var(--mute); stroke-width: 2; fill: var(--card) } svg .effect-1 { fill: var(--good); stroke: var(--good) } svg .effect-2 { fill: var(--bad); stroke: var(--bad) }
[hidden] { display: none !important }
@media (max-width: 720px) { .tiles { grid-template-columns: repeat(2, 1fr) } dl { grid-template-columns: 1fr } summary { flex-wrap: wrap } summary .req { flex-basis: 100% } }
@media print { .filters { display: none } details.check { break-inside: avoid } }
`

/** Opens a linked check and filters the checks by verdict. The page is complete without the script. */
export const CHECKS_SCRIPT = `
const open = () => {
  for (let at = document.getElementById(decodeURIComponent(location.hash.slice(1))); at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true
}
addEventListener('hashchange', open)
open()
const bar = document.querySelector('.filters')
bar.hidden = false
bar.addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return
  for (const button of bar.children) button.setAttribute('aria-pressed', String(button === target))
  const wanted = target.dataset.verdict
  for (const check of document.querySelectorAll('details.check')) check.hidden = wanted !== '' && check.dataset.verdict !== wanted
})
`
