import { toPrintable } from '../../sandbox/internal.ts'

/** A fence longer than any run of backticks inside. */
export function codeBlock(text: string, language: string): readonly string[] {
  const fence = '`'.repeat(longestRun(text, 2) + 1)
  return [fence + language, text, fence]
}

export function code(text: string): string {
  const clean = toPrintable(text).replaceAll('|', '\\|')
  const fence = '`'.repeat(longestRun(clean, 0) + 1)
  return fence.length === 1 ? `\`${clean}\`` : `${fence} ${clean} ${fence}`
}

function longestRun(text: string, least: number): number {
  return Math.max(least, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
}

/** Text within an element of HTML. */
export function htmlText(text: string): string {
  return toPrintable(text).replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Text that is no markup, no mention and no link, whatever it says. */
export function markdownText(text: string): string {
  return toPrintable(text)
    .replaceAll(/[&<>@#]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(/[\\`*_{}[\]()|~!]/g, String.raw`\$&`)
    .replaceAll('://', ':&#47;/')
}
