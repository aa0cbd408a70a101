import type { Router as Matcher } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'

export type Router = ReturnType<typeof createRouter>

/** The method for all routes in the matcher, because `fits` checks the real one. */
const METHOD = 'ALL'

/** Creates a router for paths with `{name}` parameters. Ignores a trailing slash. Fixed segments take precedence over parameters. */
export function createRouter(given: readonly string[]) {
  const matcher: Matcher<string> = new SmartRouter({ routers: [new RegExpRouter(), new TrieRouter()] })
  const paths = given.toSorted((a, b) => countParameters(a) - countParameters(b))
  for (const path of paths) matcher.add(METHOD, path.replaceAll(/\{(\w+)\}/g, ':$1'), path)
  return {
    find(path: string, fits: (route: string) => boolean) {
      const [found, texts] = matcher.match(METHOD, readPath(path))
      const [route = '', params] = found.find(([each]) => fits(each)) ?? []
      return params && { route, params: readParams(params, texts) }
    },
  }
}

function countParameters(path: string): number {
  return path.split('{').length
}

function readPath(path: string): string {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  // Encoded slashes are decoded later, so that they do not split the path.
  return plain.includes('%') ? plain.replaceAll(/%(?!2f|25)[2-7][\da-f]/gi, decodeText) : plain
}

/** Returns the decoded parameters of a path. The route matcher returns each parameter as text, or as an index into `texts`. */
function readParams(params: Readonly<Record<string, string | number>>, texts: readonly string[] = []) {
  return Object.fromEntries(
    Object.entries(params).map(([name, at]) => [
      name,
      decodeText(typeof at === 'number' ? (texts[at] ?? '') : at),
    ]),
  )
}

/** Decodes percent-encoded characters. Invalid UTF-8 and invalid escapes stay unchanged. */
function decodeText(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => {
      try {
        return decodeURIComponent(escapes)
      } catch {
        return escapes
      }
    })
  }
}
