'use strict'

// This file uses only old syntax, so that an old Node can report the required version.
exports.isNewEnough = function (version) {
  var parts = version.split('.').map(Number)
  return parts[0] > 22 || (parts[0] === 22 && parts[1] >= 19)
}

/** Returns true if this Node version is supported. Otherwise, prints an error and sets the exit code. */
exports.checkNode = function () {
  if (exports.isNewEnough(process.versions.node)) return true
  console.error(
    'hookbench: Cannot run on Node ' +
      process.versions.node +
      ': it needs 22.19 or newer. Install a newer Node, or the single file, which needs no Node, from ' +
      'https://hookbench.github.io/hookbench/install. In a checkout, "npm ci" installs a Node for npm scripts and npx',
  )
  process.exitCode = 2
  return false
}
