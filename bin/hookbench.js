#!/usr/bin/env node
import { checkNode } from './node-version.cjs'

// The dynamic import runs after the version check. An old Node would reject the syntax of a static import.
if (checkNode()) {
  void import('./launch.js').then(function (launcher) {
    return launcher.launch(process.argv)
  })
}
