import { generatedFile, literal, type GeneratedFile } from './generated-file.ts'

/** The promises of each section of the service's document. */
export type Trace = Readonly<Record<string, readonly { readonly line: number; readonly promise: string }[]>>

/** What each line of the service's document promises, in our words: what a report quotes. */
export function promises(trace: Trace): GeneratedFile {
  const rows = Object.entries(trace).flatMap(([section, lines]) =>
    lines.map(({ line, promise }) => ({ section, line, promise })),
  )
  const byLine = Object.fromEntries(
    [...Map.groupBy(rows, ({ line }) => line)].map(([line, [first, ...others]]) => [
      line,
      {
        section: first?.section ?? '',
        promises: [first, ...others].flatMap((row) => row?.promise ?? []),
      },
    ]),
  )
  return generatedFile(import.meta.url, 'spec/generated/promises.ts', [
    `export const PROMISES = ${literal(byLine)} as const`,
  ])
}
