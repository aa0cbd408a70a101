import type { Plugin } from 'rolldown'

/** Ours, in the order in which they get shorter names; a script sets `--name`. */
const OWN_PROPERTY = /--(?!name\b)[a-z-]+/g

/** What the minifier leaves in styles: long names of properties, and an `&` that browsers which nest do not need. */
export function shrinkStyles(): Plugin {
  return {
    name: 'shrink-styles',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'asset' && file.fileName.endsWith('.css'))
            file.source = shrink(String(file.source))
        }
      },
    },
  }
}

function shrink(css: string): string {
  const names = [...new Set(css.match(OWN_PROPERTY))]
  return css
    .replace(OWN_PROPERTY, (name) => `--${names.indexOf(name).toString(36)}`)
    .replace(/(?<=[{};,])& (?=[\w.:>[])/g, '')
    .replace(/\/\*.*?\*\//g, '')
    .replaceAll(', ', ',')
    .trim()
}
