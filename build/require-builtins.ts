import type { Plugin } from 'rolldown'

/**
 * Loads Node's modules with `require`. An `import` would read every export of a module. For example, an `import` of `node:http`
 * also loads `WebSocket`, which takes 30 ms.
 */
export function requireBuiltins(): Plugin {
  return {
    name: 'require-builtins',
    renderChunk: (code) =>
      code.replaceAll(
        /^import (?:(?<whole>[\w$]+),? ?)?(?:\{ (?<names>[^}]+) \})? ?from "(?<id>node:[\w/]+)";$/gm,
        (_, ...matched) => {
          const { whole, names, id } = matched.at(-1)
          const required = `globalThis.process.getBuiltinModule("${id}")`
          const targets = [whole, names && `{ ${names.replaceAll(' as ', ': ')} }`]
          return targets.flatMap((target) => (target ? [`const ${target} = ${required};`] : [])).join(' ')
        },
      ),
  }
}
