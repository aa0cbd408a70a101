import { toPrintable } from '../../sandbox/internal.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Characters that XML 1.0 cannot contain. */
const FORBIDDEN =
  // oxlint-disable-next-line no-control-regex -- these are the characters to take out
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Characters that change how a terminal or a page displays the surrounding text. */
// oxlint-disable-next-line no-control-regex -- these are the characters to take out
const STEERING = /[\t\r\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Escapes HTML, and characters that change how a terminal or a page displays the surrounding text. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(FORBIDDEN, '\ufffd')
    .replaceAll(STEERING, (character) => (character === '\t' ? character : '\ufffd'))
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Escapes text for XML, and changes lines that GitHub would run as a command in a workflow log. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(FORBIDDEN, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replaceAll(STEERING, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(/^([^\S\n]*):(?=:)/gm, '$1&#58;')
    .replaceAll('##[', '##&#91;')
}

/** Escapes text for HTML in Markdown. Also escapes URLs and mentions, because GitHub would turn them into links. */
export function htmlInMarkdown(text: string): string {
  return toPrintable(text)
    .replaceAll(/[&<>@#[\]`]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll('://', ':&#47;/')
}

export function markdownText(text: string): string {
  return toPrintable(text)
    .replaceAll(/[&<>@#]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(/[\\`*_{}[\]()|~!]/g, String.raw`\$&`)
    .replaceAll('://', ':&#47;/')
}

export function markdownCode(text: string): string {
  const clean = toPrintable(text).replaceAll('|', '\\|')
  const fence = '`'.repeat(longestRun(clean, 0) + 1)
  return fence.length === 1 ? `\`${clean}\`` : `${fence} ${clean} ${fence}`
}

export function markdownBlock(text: string, language: string): readonly string[] {
  const fence = '`'.repeat(longestRun(text, 2) + 1)
  return [fence + language, text, fence]
}

function longestRun(text: string, least: number): number {
  return Math.max(least, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
}

export function escapeCommand(message: string): string {
  const lines = message.split(/\r\n|[\n\r\u2028\u2029]/).map(toPrintable)
  return lines.join('\n').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

export function escapeCommandProperty(text: string): string {
  return escapeCommand(toPrintable(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
