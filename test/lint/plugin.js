/** Returns the name of the function at the start of a call chain: `test` for `test.concurrent.each(rows)(…)`. */
function rootName(node) {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'CallExpression') return rootName(node.callee)
  if (node.type === 'MemberExpression') return rootName(node.object)
  if (node.type === 'TaggedTemplateExpression') return rootName(node.tag)
  return undefined
}

const isFunction = ({ type }) => type === 'ArrowFunctionExpression' || type === 'FunctionExpression'

/** Returns true for the function that a call of `test` or `it` runs. */
const isTestBody = (node) =>
  isFunction(node) &&
  node.parent.type === 'CallExpression' &&
  ['test', 'it'].includes(rootName(node.parent.callee))

const yieldsNothing = ({ argument }) =>
  argument === null || (argument.type === 'CallExpression' && rootName(argument) === 'console')

/** Rejects a test that can return before its first expectation, because such a test would pass without a check. */
const noEarlyReturn = {
  create(context) {
    // The functions around the current node. For a test, `hasExpected` is true after the first expectation.
    const stack = []
    const enter = (node) => stack.push({ isTest: isTestBody(node), hasExpected: false })
    const leave = () => stack.pop()
    return {
      ArrowFunctionExpression: enter,
      'ArrowFunctionExpression:exit': leave,
      FunctionExpression: enter,
      'FunctionExpression:exit': leave,
      FunctionDeclaration: enter,
      'FunctionDeclaration:exit': leave,
      CallExpression(node) {
        const test = stack.findLast(({ isTest }) => isTest)
        if (test && rootName(node) === 'expect') test.hasExpected = true
      },
      ReturnStatement(node) {
        const own = stack.at(-1)
        if (!own?.isTest || own.hasExpected || !yieldsNothing(node)) return
        context.report({
          node,
          message:
            'The test ends before its first expectation: skip it with a reason, or tag the tool it takes',
        })
      },
    }
  },
}

// oxlint-disable-next-line import/no-default-export -- oxlint takes a plugin so
export default { meta: { name: 'hookbench' }, rules: { 'no-early-return': noEarlyReturn } }
