import { checkNode } from './node-version.cjs'

checkNode()
