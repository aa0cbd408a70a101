import { openapiOverlay, resolveJsonPath } from 'openapi-format'
import type { OpenAPIObject } from 'openapi3-ts/oas31'

interface Action {
  readonly target?: unknown
}

/** Applies an OpenAPI overlay (1.0 or 1.1). Throws RangeError for an action that changes nothing. */
export async function applyOverlay(
  openapi: OpenAPIObject,
  overlay: unknown,
  name: string,
): Promise<OpenAPIObject> {
  const actions = readActions(overlay, name)
  let document: OpenAPIObject = structuredClone(openapi)
  for (const [index, action] of actions.entries()) {
    const label = `action ${index + 1} (${JSON.stringify(action.target) ?? 'no target'})`
    const { document: changed, complaint } = await applyAction(document, {
      ...Object(overlay),
      actions: [action],
    })
    if (complaint !== undefined) throw new RangeError(`Cannot use ${name}: ${label}: ${complaint}`)
    document = changed
  }
  return document
}

function readActions(overlay: unknown, name: string): readonly Action[] {
  if (typeof overlay !== 'object' || overlay === null || !('overlay' in overlay)) {
    throw new RangeError(`Cannot use ${name}: it has no "overlay" with a version. Write overlay: 1.0.0`)
  }
  const { overlay: version, actions }: { readonly overlay: unknown; readonly actions?: unknown } = overlay
  if (typeof version !== 'string' || !/^1\.[01]\.\d+$/.test(version)) {
    const shown = JSON.stringify(version)
    throw new RangeError(`Cannot use ${name}: its version is ${shown}. It takes "1.0.0" or "1.1.0" as text`)
  }
  if (!Array.isArray(actions) || actions.length === 0) {
    throw new RangeError(`Cannot use ${name}: it has no "actions". List at least one`)
  }
  return actions.map((action: unknown) => Object(action))
}

type OverlaySet = Parameters<typeof openapiOverlay>[1]['overlaySet']

/** Applies one action, so that the error can name the action. */
async function applyAction(document: OpenAPIObject, overlaySet: OverlaySet) {
  const [{ target, remove } = { target: '' }] = overlaySet.actions
  if (typeof target === 'string' && target.startsWith('$') && target !== '$') {
    const { result: nodes, said } = await captureErrors(() => resolveJsonPath({ ...document }, target))
    if (said !== '') return { document, complaint: `${said}; correct the JSONPath` }
    if (nodes.length === 0) return { document, complaint: 'nothing is at its target; correct the JSONPath' }
    if (remove === true && nodes.length > 1 && nodes.every(isItem)) {
      removeItems(nodes)
      return { document, complaint: undefined }
    }
  }
  const { result, said } = await captureErrors(() => openapiOverlay({ ...document }, { overlaySet }))
  const complaint = said.replace(/^Overlay action #1: /, '').replace(/\.$/, '')
  if (complaint !== '') return { document, complaint: `${complaint}; correct the action` }
  if (!isDocument(result.data)) return { document, complaint: 'the document needs its openapi and its info' }
  const isUsed = result.resultData['totalUnusedActions'] === 0
  return {
    document: result.data,
    complaint: isUsed ? undefined : 'it changed nothing; correct the action',
  }
}

function isDocument(data: object): data is OpenAPIObject {
  return 'openapi' in data && 'info' in data
}

interface Node {
  readonly parent?: unknown
  readonly key?: unknown
}

function isItem({ parent, key }: Node): boolean {
  return Array.isArray(parent) && typeof key === 'number'
}

/** Removes the last items first, because a removal changes the indexes of later items. */
function removeItems(nodes: readonly Node[]): void {
  for (const { parent, key } of nodes.toSorted((a, b) => Number(b.key) - Number(a.key))) {
    if (Array.isArray(parent)) parent.splice(Number(key), 1)
  }
}

/** Captures the console, because the library reports problems only there. */
async function captureErrors<Result>(run: () => Result | Promise<Result>) {
  const lines: string[] = []
  const { error } = console
  console.error = (line: unknown) => lines.push(String(line))
  try {
    return { result: await run(), said: lines[0] ?? '' }
  } finally {
    console.error = error
  }
}
