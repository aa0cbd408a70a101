import { checkNode } from './node-version.js'

checkNode()
