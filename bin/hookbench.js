#!/usr/bin/env node
import { checkNode } from './node-version.cjs'

// A dynamic import, so that an old Node stops at the check and not at syntax that it does not know.
if (checkNode()) {
  void import('./launch.js').then(function (launcher) {
    return launcher.launch(process.argv)
  })
}
