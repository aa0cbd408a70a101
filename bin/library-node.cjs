'use strict'
var { isNewEnough } = require('./node-version.cjs')

// Runs before any code that an old Node rejects.
if (!isNewEnough(process.versions.node)) {
  var error = new Error(
    'Cannot load hookbench on Node ' +
      process.versions.node +
      ': it needs 22.19 or newer; run this under such a Node',
  )
  // Where it was thrown says nothing.
  error.stack = 'Error: ' + error.message
  throw error
}
