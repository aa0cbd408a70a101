/** This module is generated from the commands of the CLI. */
declare module 'virtual:commands' {
  import type { PageCommand } from './state/page-ports.ts'
  export const commands: readonly PageCommand[]
}

declare module '*.css'
