/** The words of a command line as a POSIX shell takes them, in place of which nothing is put. */
function toShellWords(line: string): readonly string[] {
  const words = line.matchAll(/(?:[^\s'"\\]|\\.|'[^']*'|"[^"]*")+/gs)
  return [...words].map(([word]) =>
    [...word.matchAll(/\\(.)|'([^']*)'|"([^"]*)"|([^\\'"]+)/gs)]
      .map(([, escaped, single, double, plain]) => escaped ?? single ?? double ?? plain ?? '')
      .join(''),
  )
}

/** The command lines of this program in a line: it may have several, send one to a file, or begin others. */
export function toCommandLines(line: string): readonly (readonly string[])[] {
  const program = ['npx', 'hookbench']
  const runs: string[][] = [[]]
  for (const word of toShellWords(line)) {
    if (['|', '&&', '&', ';'].includes(word)) runs.push([])
    else runs.at(-1)?.push(word)
  }
  return runs
    .filter((words) => program.every((word, index) => words[index] === word))
    .map((words) => words.slice(program.length))
    .map((words) => (words.includes('>') ? words.slice(0, words.indexOf('>')) : words))
}
