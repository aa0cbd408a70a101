'use strict'
var { isNewEnough } = require('./node-version.cjs')

// This check must run before any code whose syntax an old Node rejects.
if (!isNewEnough(process.versions.node)) {
  var error = new Error(
    'Cannot load hookbench on Node ' +
      process.versions.node +
      ': it needs 22.19 or newer; run this under such a Node',
  )
  // The stack trace is omitted, because it does not help the user.
  error.stack = 'Error: ' + error.message
  throw error
}
