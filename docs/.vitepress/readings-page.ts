import { readings, type Reading } from '../../spec/readings.ts'
import { escapeMarkdown } from './checks-page.ts'

/** Every open point of the service's document, from the list that the program has. */
export function readingsPage(): string {
  const settings = readings.filter(({ kind }) => kind !== 'shape')
  const shapes = readings.filter(({ kind }) => kind === 'shape')
  return [
    '# Readings',
    '',
    'What the service states is fixed. What its document leaves open, or says twice, is a reading: which options there are, which one is',
    'taken, and why. Those of the first part are yours to choose, before a start or while the sandbox runs. Those of the second are the shape',
    'of the OpenAPI document; where production differs from one, [an overlay](../guides/generate.md#where-production-differs) says so.',
    '',
    '```sh',
    'npx hookbench up --reading retry-window=five-attempts --memory &',
    'npx hookbench ready',
    'npx hookbench readings                             # each with what is chosen',
    'npx hookbench readings set signature off           # while it runs',
    'npx hookbench down',
    '```',
    '',
    "In a configuration it is `readings: { signature: 'off' }`. What is chosen while the sandbox runs is kept for later runs on the same data",
    'folder; what a later start is told wins. A check that rests on a reading names it, and its report says which option the run had.',
    '',
    '| Reading | Default | About |',
    '| --- | --- | --- |',
    ...settings.map(
      (one) => `| [${one.id}](#${one.id}) | \`${one.default}\` | ${escapeMarkdown(one.about)} |`,
    ),
    '',
    '## To choose',
    ...settings.flatMap(readingLines),
    '',
    '## Shapes',
    ...shapes.flatMap(readingLines),
    '',
  ].join('\n')
}

function readingLines(reading: Reading): readonly string[] {
  const { id, about, source, why, options = {}, kind, minimum } = reading
  const isChosen = (option: string) => option === reading.default && kind !== 'shape'
  const least = minimum === undefined ? '' : `, ${minimum} or more`
  return [
    '',
    `### ${id}`,
    '',
    `${escapeMarkdown(about)} (${source.join(', ')})`,
    '',
    ...Object.entries(options).map(
      ([option, text]) => `- \`${option}\`${isChosen(option) ? ' (default)' : ''}: ${escapeMarkdown(text)}`,
    ),
    ...(kind === 'duration' ? [`- A duration${least}; by default \`${reading.default}\``] : []),
    ...(kind === 'text' ? [`- Any text; by default \`${reading.default}\``] : []),
    '',
    `Why: ${escapeMarkdown(why)}`,
  ]
}
