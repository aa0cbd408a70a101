/** Made when the page is built, of the definitions of the commands. */
declare module 'virtual:commands' {
  import type { CommandRow } from '../cli/command-table.ts'
  export const COMMANDS: readonly CommandRow[]
}

declare module '*.css'
