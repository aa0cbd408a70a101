import { readPackageFile } from '../../spec/package-files.ts'
import { escapeHtml } from './escape.ts'
import type { Headline } from './headline.ts'

export function pageHtml(
  { sentence, tone, details }: Headline<string>,
  parts: readonly string[],
  script = '',
): string {
  const style = readPackageFile('contracts/report/page.css')
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(sentence)} · Hookbench</title><style>${style}</style></head><body><main>`,
    `<h1 class="${tone}">${escapeHtml(sentence)}</h1>`,
    ...details.map((text) => `<p class="detail">${escapeHtml(text)}</p>`),
    ...parts,
    `</main>${script === '' ? '' : `<script>${script}</script>`}</body></html>`,
    '',
  ].join('\n')
}

/** The script that opens the linked check and filters by verdict. The page also works without this script. */
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
