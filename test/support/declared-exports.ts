import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Something that an entry exports. */
export interface DeclaredExport {
  readonly name: string
  /** What its comment says; empty if it has none. */
  readonly comment: string
}

/** What a bundled file of types exports, with the comment that stands at each declaration, in whichever file that is. */
export function readExports(file: string): DeclaredExport[] {
  const text = readFileSync(file, 'utf8')
  const imported = readImports(file, text)
  return exportedNames(text).map(({ name, local }) => {
    const origin = imported.get(local)
    if (!origin) return { name, comment: commentOf(text, local) }
    const source = readFileSync(origin.file, 'utf8')
    const found = exportedNames(source).find((each) => each.name === origin.name)
    return { name, comment: commentOf(source, found?.local ?? origin.name) }
  })
}

/** `name as other` for each of a list in braces. */
function readNames(list: string): { readonly from: string; readonly to: string }[] {
  return list.split(',').flatMap((part) => {
    const [from, to = from] = part
      .trim()
      .replace(/^type /, '')
      .split(' as ')
    return from === undefined || from === '' ? [] : [{ from, to: to ?? from }]
  })
}

function exportedNames(text: string): { readonly name: string; readonly local: string }[] {
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    readNames(list),
  )
  const declared = text.matchAll(/^export (?:declare )?(?:const|function|class|interface|type|enum) (\w+)/gm)
  return [
    ...lists.map(({ from, to }) => ({ name: to, local: from })),
    ...[...declared].map(([, name = '']) => ({ name, local: name })),
  ]
}

function readImports(file: string, text: string) {
  const imports = text.matchAll(/^import (?:type )?\{([^}]*)\} from "(\.[^"]*)\.js";/gm)
  return new Map(
    [...imports].flatMap(([, list = '', path = '']) =>
      readNames(list).map(
        ({ from, to }) => [to, { name: from, file: join(dirname(file), `${path}.d.ts`) }] as const,
      ),
    ),
  )
}

/** The comment right above the first declaration of a name. Throws if there is no such declaration. */
function commentOf(text: string, name: string): string {
  const kinds = 'const|function|class|interface|type|enum'
  const declaration = new RegExp(
    String.raw`(/\*\*(?:(?!\*/)[^])*\*/\n)?^(?:export )?(?:declare )?(?:${kinds}) ${name.replaceAll('$', String.raw`\$`)}(?![\w$])`,
    'm',
  )
  const found = declaration.exec(text)
  if (!found) throw new Error(`There is no declaration of ${name}`)
  return (found[1] ?? '').replaceAll(/^\s*(\/\*\*|\*\/|\*)|\*\/$/gm, '').trim()
}
