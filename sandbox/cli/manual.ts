import type { Command, Help } from 'commander'

/** An example: the command line without `npx hookbench`, and its purpose. The purpose can be empty. */
type Example = readonly [line: string, about: string]

export type Lists = Readonly<Record<string, readonly (readonly [term: string, about: string])[]>>

export interface Manual {
  readonly about?: readonly string[]
  readonly lists?: Lists
  readonly examples: readonly [Example, Example, ...Example[]]
  readonly exitCodes?: Readonly<Record<number, string>>
  readonly seeAlso?: readonly string[]
}

const manuals = new WeakMap<Command, Manual>()

export function withManual(command: Command, manual: Manual): Command {
  manuals.set(command, manual)
  return command
}

export function manualOf(command: Command): Manual | undefined {
  return manuals.get(command)
}

export function listsOf({ lists = {}, exitCodes = {} }: Manual): Lists {
  return { ...lists, 'Exit codes': Object.entries(exitCodes) }
}

export function formatManual(manual: Manual, help: Help): string {
  const examples = manual.examples.flatMap(([line, about]) => [
    ...(about === '' ? [] : [`  # ${about}`]),
    `  npx hookbench ${line}`,
  ])
  const lists = Object.entries(listsOf(manual)).flatMap(([heading, rows]) => {
    const widest = Math.max(...rows.map(([term]) => term.length))
    const items = rows.map(([term, about]) => help.formatItem(term, widest, about, help))
    return help.formatItemList(`${heading}:`, items, help)
  })
  const others = manual.seeAlso === undefined ? [] : [`See also: ${manual.seeAlso.join(', ')}`, '']
  return [...help.formatItemList('Examples:', examples, help), ...lists, ...others].join('\n')
}
