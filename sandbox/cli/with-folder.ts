import { DEFAULT_DATA_FOLDER } from '../adapters/data-folder.ts'

/** A command in a text, to its end: a quote, a bracket, two spaces before what it does, the end of a style or line. */
// oxlint-disable-next-line no-control-regex -- an escape character begins and ends a style
const COMMAND = /npx hookbench (?:(?! {2})[^"()\n\u001b])+/g

/** Text in which every command names the data folder, unless that is the default. */
export function withFolder(text: string, folder: string): string {
  if (folder === DEFAULT_DATA_FOLDER) return text
  return text.replaceAll(COMMAND, (found) => {
    const command = found.trimEnd()
    if (/ (--data|--help|check|generate)\b/.test(command)) return found
    return `${command} --data ${shellQuote(folder)}${found.slice(command.length)}`
  })
}

/** As a shell takes it for one word. */
function shellQuote(folder: string): string {
  return /^[\w./@:+-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", String.raw`'\''`)}'`
}
