import type { Command } from 'commander'
import { terminalWidth, style } from '../terminal.ts'
import { commandWords, toManualPage } from './manual-page.ts'
import { manualText } from './manual-text.ts'
import type { Manuals } from './manual.ts'

const USUAL_WIDTH = 80

/** Has the help of these commands, and of those within them, shown as pages of a manual. */
export function showManuals(commands: readonly Command[], manuals: Manuals): void {
  for (const command of [...commands, ...commands.flatMap(({ commands: inner }) => inner)]) {
    const manual = manuals[commandWords(command)]
    if (manual === undefined) continue
    command.configureHelp({
      formatHelp: () => `${manualText(toManualPage(command, manual), helpWidth(), style)}\n`,
    })
  }
}

/** A program that reads it is given lines that fit everywhere. */
function helpWidth(): number {
  const width = terminalWidth()
  return Number.isFinite(width) ? width : USUAL_WIDTH
}
