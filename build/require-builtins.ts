import type { Plugin } from 'rolldown'

/**
 * Takes modules of Node as `require` does: an import reads each export at once, among them some that Node makes when they are
 * first read. `node:http` alone loads all of `WebSocket`, 30 ms.
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
