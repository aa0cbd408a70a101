import { PROMISES } from '../../spec/generated/promises.ts'

interface Line {
  readonly section: string
  readonly promises: readonly string[]
}

const lines: ReadonlyMap<string, Line> = new Map(Object.entries(PROMISES))

/** What a line of the service's document promises, in our words: `L283 (§5): A receiver should …`. */
export function quotedLine(number: number): string {
  const line = lines.get(String(number))
  return line ? `L${number} (${line.section}): ${line.promises.join(' ')}` : `L${number}`
}
